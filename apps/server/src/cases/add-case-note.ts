import type { z } from 'zod';
import type { addCaseNoteInput } from '@deviceportal/contract/cases';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { entriesOfKind, insertEntries } from './data/case-entry-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { ownEntry } from './own-entry.ts';
import { requireOpenCase } from './require-case.ts';

/** Notes stay as they were written: the case is evidence of what was known when. */
export async function addCaseNote(
  deps: CasesDeps,
  caller: Caller,
  { id, text }: z.infer<typeof addCaseNoteInput>,
): Promise<void> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    await requireOpenCase(tx, viewer, id);
    await requireRoom(tx, { limit: 'caseNotes', of: id, existing: entriesOfKind(id, 'note') });
    await insertEntries(tx, [ownEntry(viewer, { caseId: id, at, kind: 'note', data: { text } })]);
    await recordAudit(tx, [
      {
        type: 'case.note-added',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        caseId: id,
        at,
        data: { caseId: id },
      },
    ]);
  });
  deps.changes.publish([
    { kind: 'case', caseIds: [id] },
    { kind: 'audit-trail', deviceIds: [] },
  ]);
}
