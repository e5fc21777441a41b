import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import Toggle from '@cloudscape-design/components/toggle';
import { useQueries } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useApi } from '../../api/use-api.ts';
import { useT } from '../../i18n/use-t.ts';
import { CopyLinkButton } from '../copy-link-button.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { refreshMs } from '../../live/refresh-policy.ts';

export interface CompareDialogProps {
  readonly deviceIds: readonly string[];
  readonly onClose: () => void;
}

/** Compares two to four devices side by side. */
export function CompareDialog({ deviceIds, onClose }: CompareDialogProps): ReactNode {
  const t = useT();
  const api = useApi();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const queries = useQueries({
    queries: deviceIds.map((device) =>
      api.devices.get.queryOptions({ device }, { refetchInterval: refreshMs.work }),
    ),
  });
  const devices = queries.flatMap(({ data }) => data ?? []);
  const failed = queries.find(({ isError, data }) => isError && data === undefined);
  return (
    <Modal
      visible
      size="max"
      header={t('devices.compare.title', { count: deviceIds.length })}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <CopyLinkButton />
            <Button variant="primary" onClick={onClose}>
              {t('app.close')}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <SpaceBetween size="m">
        {failed === undefined ? null : (
          <ErrorView error={failed.error} place="alert" onRetry={() => void failed.refetch()} />
        )}
        {devices.length < deviceIds.length ? (
          failed === undefined ? (
            <Spinner />
          ) : null
        ) : (
          <Toggle
            checked={onlyDifferent}
            onChange={({ detail }) => setOnlyDifferent(detail.checked)}
          >
            {t('devices.compare.onlyDifferent')}
          </Toggle>
        )}
        {devices.length === 0 ? null : (
          <ComparisonTable devices={devices} onlyDifferent={onlyDifferent} />
        )}
      </SpaceBetween>
    </Modal>
  );
}
