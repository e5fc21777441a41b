import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';

/** The stored list that limits the page, and its serial numbers without a device. */
export function TargetListNote({
  id,
  onClear,
}: {
  readonly id: string;
  readonly onClear: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const list = useQuery(api.devices.getTargetList.queryOptions({ id }));
  const clear = <Button onClick={onClear}>{t('devices.targets.clear')}</Button>;
  if (list.isError) {
    return (
      <ErrorView
        error={list.error}
        place="alert"
        subject={{ kind: t('devices.targets.kind'), id }}
        actions={clear}
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (list.data === undefined) return null;
  const { name, count, found, missing, missingCount } = list.data;
  return (
    <Alert
      type={missingCount === 0 ? 'info' : 'warning'}
      header={t('devices.targets.shown', { name: name === '' ? 'none' : name, count, found })}
      action={clear}
    >
      {missingCount === 0 ? null : (
        <ExpandableSection headerText={t('devices.targets.missing', { count: missingCount })}>
          <SpaceBetween size="xs">
            <code className="dp-wrap">{missing.join(' ')}</code>
            <CopyToClipboard
              textToCopy={missing.join('\n')}
              copyButtonText={t('devices.targets.copyMissing')}
              copySuccessText={t('app.copy.done')}
              copyErrorText={t('app.copy.failed')}
            />
          </SpaceBetween>
        </ExpandableSection>
      )}
    </Alert>
  );
}
