import type { CaseDetail } from '@deviceportal/contract/cases';
import type { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import { entriesOfKind } from './data/case-entry-queries.ts';
import { markReopened } from './data/case-queries.ts';
import { setActiveCase } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireCase } from './require-case.ts';

/** Reopens a case with the viewer in it. Its first outcome is kept. */
export async function reopenCase(deps: CasesDeps, caller: Caller, id: string): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const { state, personId } = await requireCase(tx, viewer, id);
    if (state === 'closed') {
      const existing = entriesOfKind(id, 'reopened');
      await requireRoom(tx, { limit: 'caseReopenings', of: id, existing });
      if (!(await markReopened(tx, id))) throw anotherIsOpen(id);
      await recordInCase(tx, caller, {
        caseId: id,
        at,
        entry: { kind: 'reopened' },
        audit: { type: 'case.reopened', data: { personId } },
      });
    }
    await setActiveCase(tx, viewer, { caseId: id, at });
  });
  deps.changes.publish(caseChanges(id));
  return getCase(deps, viewer, id);
}

function anotherIsOpen(id: string): PortalError {
  return refuse('another-case-open', { field: 'id', facts: { case: id } });
}
