import Button from '@cloudscape-design/components/button';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CaseDetail } from '@deviceportal/contract/cases';
import type { CaseTicket } from '@deviceportal/contract/ticket-systems';
import { useApi } from '../api/use-api.ts';
import { useT } from '../i18n/use-t.ts';
import { refreshMs } from '../live/refresh-policy.ts';
import { useViewer } from '../session/viewer-context.tsx';
import { useErrorFlash } from '../ui/error-reaction/use-error-flash.tsx';

/** The ticket of a case: its number, its link, and what was not sent to it yet. */
export function CaseTicketOf({ found }: { readonly found: CaseDetail }): ReactNode {
  const api = useApi();
  const { data } = useQuery(
    api.tickets.ofCase.queryOptions(
      { caseId: found.id },
      {
        refetchInterval: ({ state }) =>
          (state.data?.pending.length ?? 0) > 0 ? refreshMs.soon : refreshMs.list,
      },
    ),
  );
  if (data === undefined) return found.ticket === '' ? '-' : found.ticket;
  return (
    <SpaceBetween size="xs">
      <Number number={found.ticket} ticket={data.ticket} />
      <Pending pending={data.pending} caseId={found.id} />
      <Create found={found} data={data} />
    </SpaceBetween>
  );
}

function Number({
  number,
  ticket,
}: {
  readonly number: string;
  readonly ticket: CaseTicket['ticket'];
}): ReactNode {
  if (ticket === null) return <div>{number === '' ? '-' : number}</div>;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {number === '' || number === ticket.key ? null : <span>{number}</span>}
      <Link href={ticket.url} external>
        {ticket.key}
      </Link>
    </SpaceBetween>
  );
}

function Pending({
  pending,
  caseId,
}: {
  readonly pending: CaseTicket['pending'];
  readonly caseId: string;
}): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const retry = useTicketAct('retry');
  const failed = pending.filter(({ state }) => state === 'failed');
  const [first] = failed;
  if (first !== undefined) {
    return (
      <SpaceBetween size="xs">
        <StatusIndicator type="error">
          {t('tickets.failed', { count: failed.length, error: first.lastError ?? '' })}
        </StatusIndicator>
        {may('cases:manage') ? (
          <Button loading={retry.isPending} onClick={() => retry.mutate({ caseId })}>
            {t('tickets.retry')}
          </Button>
        ) : null}
      </SpaceBetween>
    );
  }
  if (pending.length === 0) return null;
  const error = pending.find(({ lastError }) => lastError !== null)?.lastError ?? null;
  return (
    <SpaceBetween size="xxs">
      <StatusIndicator type="in-progress">
        {pending[0]?.act === 'create'
          ? t('tickets.creating')
          : t('tickets.waiting', { count: pending.length })}
      </StatusIndicator>
      {error === null ? null : <small>{t('tickets.lastError', { error })}</small>}
    </SpaceBetween>
  );
}

function Create({
  found: { id, state },
  data: { system, ticket, pending },
}: {
  readonly found: CaseDetail;
  readonly data: CaseTicket;
}): ReactNode {
  const t = useT();
  const { may } = useViewer();
  const create = useTicketAct('create');
  const isOffered = system !== null && ticket === null && pending.length === 0 && state === 'open';
  if (!isOffered || !may('cases:manage')) return null;
  return (
    <Button loading={create.isPending} onClick={() => create.mutate({ caseId: id })}>
      {t('tickets.create', { system })}
    </Button>
  );
}

function useTicketAct(act: 'create' | 'retry') {
  const api = useApi();
  const queryClient = useQueryClient();
  const showError = useErrorFlash();
  return useMutation(
    api.tickets[act].mutationOptions({
      onSuccess: (next, { caseId }) =>
        queryClient.setQueryData(api.tickets.ofCase.queryKey({ caseId }), next),
      onError: showError,
    }),
  );
}
