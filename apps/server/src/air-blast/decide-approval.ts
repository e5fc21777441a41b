import type { z } from 'zod';
import type { AirBlastDetail, decideAirBlastInput } from '@deviceportal/contract/air-blast';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { nextStepOf } from './air-blast-state-machine.ts';
import { insertApproval } from './data/approval-queries.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import { changeProgress, holdAirBlast, recordAirBlast } from './change-progress.ts';
import { getAirBlast } from './get-air-blast.ts';
import { handOnToken } from './steps/hand-on-token.ts';
import { isSecondPerson } from './operator-policy.ts';
import { approvalText } from './approval-text.ts';
import { selectTargetSet } from './data/targets/target-set-queries.ts';
import { tellDecision } from './tell-people.ts';

export type DecideApproval = z.infer<typeof decideAirBlastInput> & {
  readonly origin: RequestOrigin;
};

/** Signs the plan. See `decision`. */
export const approveAirBlast = decision('approved');
/** Turns the plan down: it can be made anew or aborted. */
export const rejectAirBlast = decision('rejected');

/**
 * A second person's decision about exactly one plan: everything that will happen, by its hash.
 *
 * @throws PortalError 2003; 1000 for a person who planned or operated it, or does not reach all devices; 2004 when the
 *   plan is not the one that was shown, or nothing waits for approval
 */
function decision(verdict: 'approved' | 'rejected') {
  return async (
    deps: AirBlastDeps,
    viewer: Viewer,
    input: DecideApproval,
  ): Promise<AirBlastDetail> => {
    await inTransaction(deps.database, async (tx) => {
      const held = await holdAirBlast(tx, viewer, input.id, 'air-blast:approve');
      await requireApprover(tx, held, viewer);
      requireSamePlan(held, input.planSha256);
      const now = deps.clock();
      const kind = verdict === 'approved' ? 'approve' : 'reject';
      const decided = await changeProgress(
        tx,
        held,
        { kind },
        { stateReason: verdict === 'rejected' ? 'rejected' : '', updatedAt: now },
      );
      const signature = deps.signApproval(
        approvalText({ ...held, byId: viewer.userId, decision: verdict, at: now }),
      );
      await insertApproval(tx, {
        id: newId(now.getTime()),
        airBlastId: held.id,
        revision: held.revision,
        planSha256: held.planSha256,
        effect: held.effect,
        deviceIds: await selectTargetSet(tx, held),
        targetSha256: held.targetSha256,
        decision: verdict,
        byId: viewer.userId,
        by: viewer.username,
        comment: input.comment,
        signature,
        at: now,
      });
      await recordAirBlast(tx, decided, {
        type: verdict === 'approved' ? 'air-blast.approved' : 'air-blast.rejected',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        data: { comment: input.comment, signature },
      });
      await tellDecision(tx, decided);
      if (nextStepOf(decided) !== null) await handOnToken(tx, decided, now);
    });
    return getAirBlast(deps, viewer, input.id);
  };
}

async function requireApprover(
  tx: Transaction,
  held: AirBlastRecord,
  viewer: Viewer,
): Promise<void> {
  if (await isSecondPerson(tx, held, viewer.userId)) return;
  throw refuse('rollout-needs-second-person', { facts: { permission: 'air-blast:approve' } });
}

function requireSamePlan(held: AirBlastRecord, seen: string): void {
  if (held.planSha256 === seen && held.effect !== null) return;
  throw refuse('plan-changed', { field: 'planSha256', facts: { reason: 'plan-changed' } });
}
