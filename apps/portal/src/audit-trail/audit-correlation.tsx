import Box from '@cloudscape-design/components/box';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { encodeFilter } from '../ui/filter-codec.ts';
import { PortalLink } from '../ui/portal-link.tsx';
import { Time } from '../ui/time/time.tsx';
import { useAuditWords } from './use-audit-words.ts';

const SHOWN = 25;

interface CorrelationProps {
  readonly event: AuditEvent;
  readonly onOpen: (event: AuditEvent) => void;
}

/** Events of the same operation, from the request and the command to the result of the device. */
export function AuditCorrelation({ event, onOpen }: CorrelationProps): ReactNode {
  const t = useT();
  const { runId } = event.data;
  return (
    <SpaceBetween size="l">
      {typeof runId === 'string' ? (
        <Chain
          title={t('auditTrail.detail.sameRun')}
          filter={{ runId, deviceId: event.deviceId }}
          token={{ key: 'run', value: runId }}
          event={event}
          onOpen={onOpen}
        />
      ) : null}
      {event.requestId === null ? null : (
        <Chain
          title={t('auditTrail.detail.sameRequest')}
          filter={{ requestId: event.requestId }}
          token={{ key: 'request', value: event.requestId }}
          event={event}
          onOpen={onOpen}
        />
      )}
    </SpaceBetween>
  );
}

interface ChainProps extends CorrelationProps {
  readonly title: string;
  readonly filter: {
    readonly runId?: string;
    readonly requestId?: string;
    readonly deviceId?: string | null;
  };
  readonly token: { readonly key: string; readonly value: string };
}

function Chain({ title, filter, token, event, onOpen }: ChainProps): ReactNode {
  const t = useT();
  const api = useApi();
  const words = useAuditWords();
  const query = useQuery(api.auditTrail.list.queryOptions({ filter, pageSize: SHOWN }));
  // In chronological order.
  const events = (query.data?.rows ?? []).toReversed();
  const q = encodeFilter({
    operation: 'and',
    tokens: [{ key: token.key, operator: '=', values: [token.value] }],
  });
  return (
    <SpaceBetween size="xs">
      <Box variant="h3">{title}</Box>
      {query.isError ? (
        <ErrorView error={query.error} place="alert" onRetry={() => void query.refetch()} />
      ) : events.length < 2 ? (
        <Box color="text-body-secondary">
          {query.isPending ? ' ' : t('auditTrail.detail.alone')}
        </Box>
      ) : (
        <ol className="dp-audit-chain">
          {events.map((each) => (
            <li key={each.id} aria-current={each.id === event.id ? 'true' : undefined}>
              <Time at={each.at} style="utc" />{' '}
              {each.id === event.id ? (
                <strong>{words.sentence(each)}</strong>
              ) : (
                <Link onFollow={() => onOpen(each)}>{words.sentence(each)}</Link>
              )}
            </li>
          ))}
        </ol>
      )}
      <PortalLink href={`/audit-trail/device?q=${encodeURIComponent(q)}&t=365d`}>
        {t('auditTrail.detail.all')}
      </PortalLink>
    </SpaceBetween>
  );
}
