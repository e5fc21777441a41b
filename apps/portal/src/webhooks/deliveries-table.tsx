import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { WebhookDeliveryRow } from '@deviceportal/contract/webhooks';
import { deliveryStateTypes } from '../alerts/delivery-state-types.ts';
import { sendErrorWords } from '../alerts/send-error-words.ts';
import { useApi } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';
import { DataTable, type TableQuery } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';

/** The latest requests of a webhook. Those that were given up can be sent again. */
export function DeliveriesTable({
  deliveries,
  query,
  onDone,
}: {
  readonly deliveries: readonly WebhookDeliveryRow[];
  readonly query: TableQuery;
  readonly onDone: (words?: string) => void;
}): ReactNode {
  const t = useT();
  const api = useApi();
  const showError = useErrorFlash();
  const { mutate } = useMutation(
    api.webhooks.retryDelivery.mutationOptions({
      onSuccess: () => onDone(t('webhooks.delivery.queued')),
      onError: showError,
    }),
  );
  const columns = useMemo(() => columnsOf(t, (id) => mutate({ id })), [t, mutate]);
  return (
    <DataTable
      id="webhook-deliveries"
      label={t('webhooks.deliveries')}
      withoutSettings
      wrapLines
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      query={query}
      empty={{ title: t('webhooks.delivery.none'), body: t('webhooks.delivery.noneBody') }}
      header={
        <Header variant="h2" description={t('webhooks.delivery.description')}>
          {t('webhooks.deliveries')}
        </Header>
      }
    />
  );
}

const columnsOf = (
  t: Translate,
  onRetry: (id: string) => void,
): TableColumn<WebhookDeliveryRow>[] => [
  {
    id: 'at',
    header: t('webhooks.delivery.at'),
    cell: ({ createdAt }) => <Time at={createdAt} />,
    rowHeader: true,
  },
  {
    id: 'state',
    header: t('webhooks.state'),
    cell: ({ state, attempts, lastError }) => (
      <StatusIndicator type={deliveryStateTypes[state]}>
        {t(`webhooks.delivery.state.${state}`)}
        {lastError === null || state === 'delivered'
          ? ''
          : ` (${t('webhooks.delivery.attempts', { attempts })}, ${errorWords(lastError, t)})`}
      </StatusIndicator>
    ),
  },
  {
    id: 'events',
    header: t('webhooks.delivery.events'),
    cell: ({ events, firstSequence, gapUntil }) =>
      gapUntil !== null ? (
        <>
          {t('webhooks.delivery.gap')} <Time at={gapUntil} />
        </>
      ) : events === 1 ? (
        `#${firstSequence}`
      ) : (
        `#${firstSequence}–${firstSequence + events - 1}`
      ),
  },
  {
    id: 'status',
    header: t('webhooks.delivery.response'),
    cell: ({ status }) => status ?? '-',
  },
  {
    id: 'duration',
    header: t('webhooks.delivery.duration'),
    cell: ({ durationMs }) => (durationMs === null ? '-' : `${durationMs} ms`),
  },
  {
    id: 'next',
    header: t('webhooks.delivery.next'),
    cell: ({ nextAt, state }) =>
      nextAt === null || state === 'sending' ? '-' : <Time at={nextAt} />,
  },
  {
    id: 'retry',
    header: t('webhooks.actions'),
    cell: ({ id, canRetry, firstSequence }) =>
      canRetry ? (
        <Button
          variant="inline-link"
          ariaLabel={t('webhooks.delivery.retryOf', { number: firstSequence })}
          onClick={() => onRetry(id)}
        >
          {t('webhooks.delivery.retry')}
        </Button>
      ) : (
        '-'
      ),
  },
];

const ownErrors = ['nothing-visible', 'waited-too-long'] as const;

function errorWords(error: string, t: Translate): string {
  const own = ownErrors.find((each) => each === error);
  return own === undefined ? sendErrorWords(error, t) : t(`webhooks.delivery.error.${own}`);
}
