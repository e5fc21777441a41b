import type { CaseDetail } from '@deviceportal/contract/cases';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { setActiveCase } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { caseChanges, recordInCase } from './record-in-case.ts';
import { requireOpenCase } from './require-case.ts';

/** Makes a case the viewer's active one: from now on their actions are bound to it and to no other case. */
export async function enterCase(deps: CasesDeps, caller: Caller, id: string): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    await requireOpenCase(tx, viewer, id);
    const isNew = await setActiveCase(tx, viewer, { caseId: id, at });
    if (!isNew) return;
    await recordInCase(tx, caller, {
      caseId: id,
      at,
      entry: { kind: 'joined' },
      audit: { type: 'case.joined' },
    });
  });
  deps.changes.publish(caseChanges(id));
  return getCase(deps, viewer, id);
}
