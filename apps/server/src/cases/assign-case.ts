import type { z } from 'zod';
import type { assignCaseInput, CaseDetail } from '@deviceportal/contract/cases';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { nameOf } from './assignee-name.ts';
import { editsOf } from './data/case-entry-queries.ts';
import { updateAssignee } from './data/case-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { recordAssignment } from './record-assignment.ts';
import { caseChanges } from './record-in-case.ts';
import { requireAssignee } from './require-assignee.ts';
import { requireOpenCase } from './require-case.ts';

/**
 * Makes a user responsible for a case, or no user, and notifies the user. Repeating it changes nothing.
 *
 * @throws PortalError 2004 for a user who cannot manage cases for the person
 */
export async function assignCase(
  deps: CasesDeps,
  caller: Caller,
  { id, assigneeId }: z.infer<typeof assignCaseInput>,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  const changes = await inTransaction(deps.database, async (tx) => {
    const found = await requireOpenCase(tx, viewer, id);
    if (found.assigneeId === assigneeId) return [];
    const assignee =
      assigneeId === null ? null : await requireAssignee(tx, found.personId, assigneeId);
    await requireRoom(tx, { limit: 'caseUpdates', of: id, existing: editsOf(id) });
    await updateAssignee(tx, id, assignee && { id: assignee.id, name: nameOf(assignee) });
    return recordAssignment(tx, caller, { found, assignee, at });
  });
  deps.changes.publish([...changes, ...caseChanges(id)]);
  return getCase(deps, viewer, id);
}
