import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { priorityOf } from '../cases/case-priority.ts';
import { fillTicket, findCaseFacts, findEntry } from '../cases/data/case-facts.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { deliverDue } from '../platform/deliveries/deliver-due.ts';
import type { SendFailure } from '../platform/deliveries/send-failure.ts';
import { clientOf } from './client-of.ts';
import {
  findSystem,
  findTicket,
  setTicketCreated,
  ticketOutbox,
  type StoredDelivery,
  type StoredSystem,
} from './data/ticket-queries.ts';
import { createdContent, noteContent, type CaseFacts } from './ticket-content.ts';
import {
  TicketRefused,
  type CreatedTicket,
  type TicketClient,
  type TicketContent,
} from './systems/ticket-client.ts';
import type { TicketsDeps } from './tickets-deps.ts';

/** Longer than the requests of an attempt take. */
const ATTEMPT_MS = 90_000;

type Deps = Omit<TicketsDeps, 'changes'>;

/** Sends what is due to the ticket system. @returns the number of messages */
export const deliverTickets = (deps: Deps): Promise<number> =>
  deliverDue<StoredDelivery>({
    ...{ database: deps.database, clock: deps.clock, attemptMs: ATTEMPT_MS, outbox: ticketOutbox },
    send: (delivery) =>
      send(deps, delivery).catch((error: unknown) => {
        if (error instanceof TicketRefused) return error.failure;
        throw error;
      }),
    onFailed: recordFailure,
  });

async function send(deps: Deps, delivery: StoredDelivery): Promise<SendFailure | null> {
  const { database, tickets } = deps;
  const system = await findSystem(database.orm);
  if (system === undefined) return { reason: 'not-connected', isFinal: true };
  const stored = await findTicket(database.orm, delivery.caseId);
  const content = await contentOf(deps, system, delivery);
  if (stored?.kind !== system.settings.kind || content === undefined)
    return { reason: 'case-unknown', isFinal: true };
  const client = clientOf(system.settings, {
    secret: tickets.vault.openText(system.id, system.sealed),
    hosts: tickets.internalHosts,
  });
  const created = await sendBy(client, { delivery, content, externalId: stored.externalId });
  await inTransaction(database, (tx) => end(tx, deps, { delivery, created }));
  return null;
}

/** @returns the ticket, if it was created */
async function sendBy(
  client: TicketClient,
  {
    delivery: { id: deliveryId, caseId, act, attempts },
    content,
    externalId,
  }: {
    readonly delivery: StoredDelivery;
    readonly content: TicketContent;
    readonly externalId: string | null;
  },
): Promise<CreatedTicket | undefined> {
  const message = { deliveryId, caseId, content, isRepeated: attempts > 1 };
  if (act === 'create') return client.create(message);
  if (externalId === null) throw new TicketRefused({ reason: 'not-created', isFinal: true });
  await (act === 'comment'
    ? client.comment(externalId, message)
    : client.close(externalId, message));
  return undefined;
}

/** Ends the attempt in the transaction that keeps the ticket. */
async function end(
  tx: Transaction,
  { clock }: Deps,
  {
    delivery,
    created,
  }: { readonly delivery: StoredDelivery; readonly created: CreatedTicket | undefined },
): Promise<void> {
  const set = { state: 'delivered', lastError: null, endedAt: clock() } as const;
  if (!(await ticketOutbox.end(tx, delivery, set)) || created === undefined) return;
  const { caseId } = delivery;
  await setTicketCreated(tx, caseId, created);
  await fillTicket(tx, caseId, created.key);
  await recordAudit(tx, [
    {
      ...{ type: 'case.ticket-created', actor: systemActor, caseId },
      data: { caseId, key: created.key },
    },
  ]);
}

/** What is sent, with the settings at this time; undefined if the case or its person is gone. */
async function contentOf(
  { database: { orm }, publicUrl }: Deps,
  { settings: { shares } }: StoredSystem,
  { caseId, act, entryId }: StoredDelivery,
): Promise<TicketContent | undefined> {
  const found = await findCaseFacts(orm, caseId);
  if (found === undefined) return undefined;
  const facts: CaseFacts = { ...found, priority: priorityOf(found.priority) };
  const caseUrl = new URL(`/cases/${caseId}`, publicUrl).href;
  if (act === 'create') return createdContent(facts, { shares, caseUrl });
  const entry = entryId === null ? undefined : await findEntry(orm, caseId, entryId);
  const text = entry?.data['text'];
  return noteContent(
    whatOf(entry?.kind, entry?.data['outcome']),
    typeof text === 'string' ? text : '',
    {
      ...{ facts, shares, caseUrl },
    },
  );
}

function whatOf(kind: string | undefined, outcome: unknown): string {
  if (kind === 'closed') return `Case closed (${typeof outcome === 'string' ? outcome : '-'})`;
  return kind === 'reopened' ? 'Case reopened' : 'Note in the case';
}

async function recordFailure(
  tx: Transaction,
  { id, caseId, act, attempts }: StoredDelivery,
  reason: string,
): Promise<void> {
  await recordAudit(tx, [
    {
      ...{ type: 'case.ticket-failed', actor: systemActor, caseId },
      data: { deliveryId: id, caseId, act, attempts, reason },
    },
  ]);
}
