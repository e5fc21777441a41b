import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useCallback, type ReactNode } from 'react';
import { WEBHOOK_LIMITS, type WebhookDetail } from '@deviceportal/contract/webhooks';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { KeyValue } from '../ui/key-value.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { useBreadcrumbs, useRefresh } from '../ui/page-slots.tsx';
import { PendingPage } from '../ui/pending-page.tsx';
import { Time } from '../ui/time/time.tsx';
import { DeliveriesTable } from './deliveries-table.tsx';
import { useWebhookDialogs } from './use-webhook-dialogs.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookDialogs } from './webhook-dialogs.tsx';
import { WebhookGate } from './webhook-gate.tsx';
import { WebhookState } from './webhook-state.tsx';

export const Route = createLazyRoute('/uam/webhooks/$id')({ component: WebhookPage });

const route = getRouteApi('/uam/webhooks/$id');

function WebhookPage(): ReactNode {
  const { id } = route.useParams();
  return (
    <WebhookGate>
      <Webhook key={id} id={id} />
    </WebhookGate>
  );
}

/** A webhook with its latest requests. */
function Webhook({ id }: { readonly id: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.webhooks.get.queryOptions({ id }, { refetchInterval: refreshMs.computed }),
  );
  const { data: webhook, error, refetch } = query;
  const dialogs = useWebhookDialogs();
  useBreadcrumbs([
    { text: t('app.nav.webhooks'), href: '/uam/webhooks' },
    { text: webhook?.name ?? id, href: `/uam/webhooks/${id}` },
  ]);
  useRefresh(useCallback(() => void refetch(), [refetch]));
  if (webhook === undefined) {
    return error === null ? (
      <PendingPage />
    ) : (
      <ErrorView
        error={error}
        subject={{ kind: t('webhooks.kind'), id }}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <SpaceBetween size="l">
      <PageHeader
        title={webhook.name}
        documentTitle={`${webhook.name} · ${t('app.nav.webhooks')}`}
        description={webhook.host}
        actions={
          <WebhookActions webhook={webhook} onOpen={dialogs.onOpen} onDone={dialogs.onDone} />
        }
      />
      <Pause webhook={webhook} />
      <Settings webhook={webhook} />
      <DeliveriesTable deliveries={webhook.deliveries} query={query} onDone={dialogs.onDone} />
      <WebhookDialogs {...dialogs} />
    </SpaceBetween>
  );
}

/** Why the portal has paused a webhook, and what to do. */
function Pause({ webhook: { pausedBecause, isOwn } }: { readonly webhook: WebhookDetail }) {
  const t = useT();
  if (pausedBecause === null || pausedBecause === 'paused') return null;
  return (
    <Alert type="error" header={t(`webhooks.paused.${pausedBecause}`)}>
      {t(`webhooks.pausedBody.${pausedBecause}`, { days: WEBHOOK_LIMITS.waitingDays })}{' '}
      {isOwn ? t('webhooks.resumeHint') : t('webhooks.ownerResumes')}
    </Alert>
  );
}

function Settings({ webhook }: { readonly webhook: WebhookDetail }): ReactNode {
  const t = useT();
  const { eventTypes, owner, createdAt, lastDeliveredAt, rotatingUntil } = webhook;
  return (
    <Container header={<Header variant="h2">{t('webhooks.settings')}</Header>}>
      <KeyValue
        columns={3}
        items={[
          { label: t('webhooks.state'), value: <WebhookState webhook={webhook} /> },
          {
            label: t('webhooks.lastDelivered'),
            value: lastDeliveredAt === null ? t('webhooks.never') : <Time at={lastDeliveredAt} />,
          },
          { label: t('webhooks.owner'), value: owner },
          {
            label: t('webhooks.eventTypes'),
            value: <span className="dp-id">{eventTypes.join(', ')}</span>,
          },
          {
            label: t('webhooks.earlierSecret'),
            value: rotatingUntil === null ? null : <Time at={rotatingUntil} />,
          },
          { label: t('webhooks.created'), value: <Time at={createdAt} /> },
        ]}
      />
    </Container>
  );
}
