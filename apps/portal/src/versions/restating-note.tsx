import Alert from '@cloudscape-design/components/alert';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

/**
 * The progress of updating device states after an approval has changed. Renders nothing when
 * finished.
 */
export function RestatingNote(): ReactNode {
  const t = useT();
  const format = useFormat();
  const api = useApi();
  const { may } = useViewer();
  const { data } = useQuery({
    ...api.versions.getRestateProgress.queryOptions(),
    enabled: may('versions:read'),
    refetchInterval: ({ state }) => (state.data === null ? false : refreshMs.soon),
  });
  if (data === undefined || data === null) return null;
  return (
    <Alert type="info">{t('versions.restating', { share: format.percent(data.share) })}</Alert>
  );
}
