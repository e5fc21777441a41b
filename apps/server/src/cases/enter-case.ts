import type { CaseDetail } from '@deviceportal/contract/cases';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { insertEntries } from './data/case-entry-queries.ts';
import { putInto } from './data/case-worker-queries.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { ownEntry } from './own-entry.ts';
import { requireOpenCase } from './require-case.ts';

/** From now on what the viewer does is bound to this case, beside colleagues who work in it, and to no other. */
export async function enterCase(deps: CasesDeps, caller: Caller, id: string): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    await requireOpenCase(tx, viewer, id);
    const isNew = await putInto(tx, viewer, { caseId: id, at });
    if (!isNew) return;
    await insertEntries(tx, [ownEntry(viewer, { caseId: id, at, kind: 'joined' })]);
    await recordAudit(tx, [
      {
        type: 'case.joined',
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
  return getCase(deps, viewer, id);
}
