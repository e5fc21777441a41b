import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { AlertDeliveryRow, AlertRow } from '@deviceportal/contract/alerts';
import { useApi } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { deliveryStateTypes } from './delivery-state-types.ts';
import { sendErrorWords } from './send-error-words.ts';

/** What became of the messages of an alert. Those that were given up can be sent again. */
export function DeliveriesDialog({
  alert,
  onClose,
}: {
  readonly alert: AlertRow;
  readonly onClose: () => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const queryClient = useQueryClient();
  const query = useQuery(
    api.alerts.listDeliveries.queryOptions(
      { alertId: alert.id },
      { refetchInterval: refreshMs.computed },
    ),
  );
  const { mutate } = useMutation(
    api.alerts.retryDelivery.mutationOptions({
      onSuccess: () => void queryClient.invalidateQueries(api.alerts.pathFilter()),
      onError: showError,
    }),
  );
  const columns = useMemo(() => columnsOf(t, (id) => mutate({ id })), [t, mutate]);
  return (
    <Modal
      visible
      size="large"
      header={t('alerts.deliveries.of', { name: alert.ruleName })}
      closeAriaLabel={t('app.close')}
      onDismiss={onClose}
    >
      <DataTable
        id="alert-deliveries"
        label={t('alerts.column.deliveries')}
        variant="embedded"
        withoutSettings
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('alerts.deliveries.none'), body: t('alerts.deliveries.noneBody') }}
      />
    </Modal>
  );
}

const columnsOf = (
  t: Translate,
  onRetry: (id: string) => void,
): TableColumn<AlertDeliveryRow>[] => [
  {
    id: 'event',
    header: t('alerts.column.event'),
    cell: ({ event }) => t(`alerts.event.${event}`),
    rowHeader: true,
  },
  {
    id: 'kind',
    header: t('alerts.column.destination'),
    cell: ({ kind }) => t(`alerts.destination.${kind}`),
  },
  {
    id: 'state',
    header: t('alerts.column.state'),
    cell: ({ state, attempts, lastError }) => (
      <StatusIndicator type={deliveryStateTypes[state]}>
        {t(`alerts.delivery.${state}`)}
        {lastError === null || state === 'delivered'
          ? ''
          : ` (${t('alerts.delivery.attempts', { attempts })}, ${sendErrorWords(lastError, t)})`}
      </StatusIndicator>
    ),
  },
  {
    id: 'at',
    header: t('alerts.column.at'),
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    id: 'retry',
    header: t('alerts.column.actions'),
    cell: ({ id, canRetry }) =>
      canRetry ? (
        <Button variant="inline-link" onClick={() => onRetry(id)}>
          {t('alerts.deliveries.retry')}
        </Button>
      ) : (
        '-'
      ),
  },
];
