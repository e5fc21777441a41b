import type { z } from 'zod';
import type { CaseDetail, updateCaseInput } from '@deviceportal/contract/cases';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { entriesOfKind, insertEntries } from './data/case-entry-queries.ts';
import { updateCaseWords } from './data/case-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { ownEntry } from './own-entry.ts';
import { requireOpenCase } from './require-case.ts';

/** Another ticket, or other words for what it is about. */
export async function updateCase(
  deps: CasesDeps,
  caller: Caller,
  { id, ticket, about }: z.infer<typeof updateCaseInput>,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const before = await requireOpenCase(tx, viewer, id);
    if (before.ticket === ticket && before.about === about) return;
    await requireRoom(tx, { limit: 'caseUpdates', of: id, existing: entriesOfKind(id, 'updated') });
    await updateCaseWords(tx, { id, ticket, about });
    await insertEntries(tx, [
      ownEntry(viewer, { caseId: id, at, kind: 'updated', data: { ticket, about } }),
    ]);
    await recordAudit(tx, [
      {
        type: 'case.updated',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        caseId: id,
        at,
        data: { caseId: id, ticket, ticketBefore: before.ticket },
      },
    ]);
  });
  deps.changes.publish([
    { kind: 'case', caseIds: [id] },
    { kind: 'audit-trail', deviceIds: [] },
  ]);
  return getCase(deps, viewer, id);
}
