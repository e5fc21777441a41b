import type { z } from 'zod';
import type { CaseDetail, closeCaseInput } from '@deviceportal/contract/cases';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { insertEntries } from './case-entry-store.ts';
import { markClosed } from './case-store.ts';
import { takeAllOut } from './case-worker-store.ts';
import type { CasesDeps } from './cases-deps.ts';
import { getCase } from './get-case.ts';
import { ownEntry } from './own-entry.ts';
import { requireOpenCase } from './require-case.ts';

/** Ends a case with its outcome, for everybody who works in it. */
export async function closeCase(
  deps: CasesDeps,
  caller: Caller,
  { id, outcome, text }: z.infer<typeof closeCaseInput>,
): Promise<CaseDetail> {
  const { viewer } = caller;
  const at = deps.clock();
  await inTransaction(deps.database, async (tx) => {
    const { personId } = await requireOpenCase(tx, viewer, id);
    await markClosed(tx, { id, by: viewer.displayName, at, outcome, text });
    await takeAllOut(tx, id);
    await insertEntries(tx, [
      ownEntry(viewer, { caseId: id, at, kind: 'closed', data: { outcome, text } }),
    ]);
    await recordAudit(tx, [
      {
        type: 'case.closed',
        actor: actorOf(viewer, caller),
        requestId: caller.requestId,
        caseId: id,
        at,
        data: { caseId: id, personId, outcome },
      },
    ]);
  });
  deps.changes.publish([
    { kind: 'case', caseIds: [id] },
    { kind: 'audit-trail', deviceIds: [] },
  ]);
  return getCase(deps, viewer, id);
}
