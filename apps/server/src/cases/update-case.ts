import type { z } from 'zod';
import type { CaseDetail, updateCaseInput } from '@deviceportal/contract/cases';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { entriesOfKind } from './data/case-entry-queries.ts';
import { updateCaseTexts } from './data/case-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireOpenCase } from './require-case.ts';

/** Changes the ticket or the description of a case. */
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
    await updateCaseTexts(tx, { id, ticket, about });
    await recordInCase(tx, caller, {
      caseId: id,
      at,
      entry: { kind: 'updated', data: { ticket, about } },
      audit: {
        type: 'case.updated',
        data: { personId: before.personId, ticket, ticketBefore: before.ticket },
      },
    });
  });
  deps.changes.publish(caseChanges(id));
  return getCase(deps, viewer, id);
}
