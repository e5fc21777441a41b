import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { NoAccess } from '../ui/no-access.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { TicketSystemForm } from './ticket-system-form.tsx';

export const Route = createLazyRoute('/uam/ticket-system')({ component: TicketSystemPage });

function TicketSystemPage(): ReactNode {
  const t = useT();
  const { may } = useViewer();
  return may('access:manage') ? (
    <Connection />
  ) : (
    <NoAccess area={t('app.nav.ticketSystem')} permission="access:manage" />
  );
}

/** The connection of the portal to a ticket system. */
function Connection(): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(api.tickets.getSystem.queryOptions());
  return (
    <SpaceBetween size="l">
      <PageHeader title={t('app.nav.ticketSystem')} description={t('tickets.description')} />
      {query.isError ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <Spinner size="large" />
      ) : (
        <TicketSystemForm key={query.data?.changedAt ?? ''} stored={query.data} />
      )}
    </SpaceBetween>
  );
}
