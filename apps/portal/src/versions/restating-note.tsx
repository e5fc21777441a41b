import Alert from '@cloudscape-design/components/alert';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useFormat } from '../i18n/format-values.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { refreshMs } from '../live/refresh-policy.ts';

/** While devices are being told what a changed approval means for them: how far that is. Nothing once all were. */
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
