import type { AuditType } from '@deviceportal/contract/audit-trail';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Change } from '../platform/change-feed.ts';
import { queueTicketMessages } from '../tickets/queue-ticket-messages.ts';
import type { Caller } from '../platform/viewer.ts';
import { insertEntries, type EntryDraft } from './data/case-entry-queries.ts';
import { ownEntry } from './own-entry.ts';

export interface CaseStep {
  readonly caseId: string;
  readonly at: Date;
  readonly entry: Pick<EntryDraft, 'kind' | 'data'>;
  readonly audit: Pick<EntryDraft, 'data'> & { readonly type: AuditType };
}

/** Records what the viewer did with a case in the case and in the audit trail, in the transaction of the change. */
export async function recordInCase(
  tx: Transaction,
  caller: Caller,
  { caseId, at, entry, audit }: CaseStep,
): Promise<void> {
  const [entryId] = await insertEntries(tx, [ownEntry(caller.viewer, { caseId, at, ...entry })]);
  await queueTicketMessages(tx, { caseId, at, kind: entry.kind, entryId: entryId ?? null });
  await recordAudit(tx, [
    {
      type: audit.type,
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      caseId,
      at,
      data: { caseId, ...audit.data },
    },
  ]);
}

/** Changes to publish after `recordInCase`. */
export const caseChanges = (caseId: string): readonly Change[] => [
  { kind: 'case', caseIds: [caseId] },
  { kind: 'audit-trail', deviceIds: [] },
];
