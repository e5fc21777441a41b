import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../api/use-api.ts';
import { useAuditWords } from '../audit-trail/use-audit-words.ts';
import { useT } from '../i18n/use-t.ts';
import { CopyableId } from '../ui/copyable-id.tsx';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';

const SHOWN = 25;

/** The effect of one request: its audit events and the commands that it started. */
export function RequestTrail({ requestId }: { readonly requestId: string }): ReactNode {
  const t = useT();
  const api = useApi();
  const query = useQuery(
    api.auditTrail.list.queryOptions({ filter: { requestId }, pageSize: SHOWN, cursor: null }),
  );
  const auditTrail = `/audit-trail/device?q=${encodeURIComponent(`request=${requestId}`)}&t=30d`;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={<CopyableId value={requestId} name={t('apiCalls.copyRequest')} />}
          actions={
            <PortalLink href={auditTrail} ariaLabel={t('apiCalls.audit', { request: requestId })}>
              {t('apiCalls.trail.audit')}
            </PortalLink>
          }
        >
          {t('apiCalls.trail.title')}
        </Header>
      }
    >
      {query.error === null ? (
        <TrailEvents events={query.data?.rows} />
      ) : (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      )}
    </Container>
  );
}

function TrailEvents({
  events,
}: {
  readonly events: readonly AuditEvent[] | undefined;
}): ReactNode {
  const t = useT();
  const words = useAuditWords();
  if (events === undefined)
    return <StatusIndicator type="loading">{t('apiCalls.trail.loading')}</StatusIndicator>;
  if (events.length === 0) return <Box color="text-body-secondary">{t('apiCalls.trail.none')}</Box>;
  return (
    <ol className="dp-request-trail">
      {events.toReversed().map((event) => (
        <li key={event.id}>
          <SpaceBetween direction="horizontal" size="s">
            <Time at={event.at} style="utc" />
            <span>{words.sentence(event)}</span>
            <RunOf event={event} />
          </SpaceBetween>
        </li>
      ))}
    </ol>
  );
}

/** Links to the run, whose page shows invocations and their outputs. */
function RunOf({ event }: { readonly event: AuditEvent }): ReactNode {
  const t = useT();
  const { runId } = event.data;
  if (typeof runId !== 'string') return null;
  return (
    <PortalLink href={`/commands/document?run=${runId}`}>{t('apiCalls.trail.run')}</PortalLink>
  );
}
