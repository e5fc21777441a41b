import type { z } from 'zod';
import type { addCaseNoteInput } from '@deviceportal/contract/cases';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { entriesOfKind } from './data/case-entry-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireOpenCase } from './require-case.ts';

/** Adds a note. Notes cannot be edited, because the case is evidence of what was known at which time. */
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
    await recordInCase(tx, caller, {
      caseId: id,
      at,
      entry: { kind: 'note', data: { text } },
      audit: { type: 'case.note-added' },
    });
  });
  deps.changes.publish(caseChanges(id));
}
