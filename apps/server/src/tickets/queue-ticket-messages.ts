import type { CaseEntryKind } from '@deviceportal/contract/cases';
import { newId } from '@deviceportal/contract/ids';
import type { TicketAct } from '@deviceportal/contract/ticket-systems';
import type { Transaction } from '../platform/database/database.ts';
import { findTicket, insertDeliveries } from './data/ticket-queries.ts';

/** What a ticket is told of an entry. */
const actsOf: Readonly<Partial<Record<CaseEntryKind, readonly TicketAct[]>>> = {
  note: ['comment'],
  closed: ['comment', 'close'],
  reopened: ['comment'],
};

/** Queues what the ticket of a case is told of an entry, in the transaction that makes the entry. */
export async function queueTicketMessages(
  tx: Transaction,
  entry: {
    readonly caseId: string;
    readonly kind: CaseEntryKind;
    readonly entryId: string | null;
    readonly at: Date;
  },
): Promise<void> {
  const acts = actsOf[entry.kind] ?? [];
  const { caseId, entryId, at } = entry;
  if (acts.length === 0 || (await findTicket(tx, caseId)) === undefined) return;
  await insertDeliveries(
    tx,
    acts.map((act) => ({ id: newId(), caseId, act, entryId, createdAt: at })),
  );
}
