import Button from '@cloudscape-design/components/button';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { WebhookRow } from '@deviceportal/contract/webhooks';
import { useApi } from '../api/use-api.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import type { TableColumn } from '../ui/table/table-column.ts';
import { Time } from '../ui/time/time.tsx';
import { useWebhookDialogs } from './use-webhook-dialogs.ts';
import { WebhookDialogs } from './webhook-dialogs.tsx';
import { WebhookGate } from './webhook-gate.tsx';
import { WebhookState } from './webhook-state.tsx';

export const Route = createLazyRoute('/uam/webhooks')({
  component: () => (
    <WebhookGate>
      <WebhooksPage />
    </WebhookGate>
  ),
});

/** Webhooks of the viewer, and those of others for viewers who manage all of them. */
function WebhooksPage(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.webhooks.list.queryOptions(undefined, { refetchInterval: refreshMs.list }),
  );
  const dialogs = useWebhookDialogs();
  const columns = useMemo(() => columnsOf(t), [t]);
  return (
    <>
      <DataTable
        id="webhooks"
        label={t('app.nav.webhooks')}
        wrapLines
        columns={columns}
        rows={query.data}
        rowKey={({ id }) => id}
        query={query}
        empty={{ title: t('webhooks.none'), body: t('webhooks.noneBody') }}
        header={
          <PageHeader
            title={t('app.nav.webhooks')}
            description={
              <>
                {t('webhooks.description')}{' '}
                <PortalLink href="/guides/webhooks">{t('webhooks.guide')}</PortalLink>
              </>
            }
            actions={
              <Button variant="primary" onClick={() => dialogs.onOpen({ act: 'create' })}>
                {t('webhooks.create')}
              </Button>
            }
          />
        }
      />
      <WebhookDialogs {...dialogs} />
    </>
  );
}

const columnsOf = (t: Translate): TableColumn<WebhookRow>[] => [
  {
    id: 'name',
    header: t('webhooks.name'),
    cell: ({ id, name }) => <PortalLink href={`/uam/webhooks/${id}`}>{name}</PortalLink>,
    rowHeader: true,
    always: true,
    minWidth: 150,
  },
  {
    id: 'state',
    header: t('webhooks.state'),
    cell: (webhook) => <WebhookState webhook={webhook} />,
    minWidth: 200,
  },
  {
    id: 'host',
    header: t('webhooks.address'),
    cell: ({ host }) => <span className="dp-id">{host}</span>,
    minWidth: 180,
  },
  {
    id: 'events',
    header: t('webhooks.eventTypes'),
    cell: ({ eventTypes }) => <span className="dp-id">{eventTypes.join(', ')}</span>,
    minWidth: 220,
  },
  {
    id: 'owner',
    header: t('webhooks.owner'),
    cell: ({ owner }) => owner ?? '-',
    minWidth: 160,
  },
  {
    id: 'delivered',
    header: t('webhooks.lastDelivered'),
    cell: ({ lastDeliveredAt }) =>
      lastDeliveredAt === null ? t('webhooks.never') : <Time at={lastDeliveredAt} />,
    minWidth: 150,
  },
];
