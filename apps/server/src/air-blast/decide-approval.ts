import type { z } from 'zod';
import type { AirBlastDetail, decideAirBlastInput } from '@deviceportal/contract/air-blast';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { nextStepOf } from './air-blast-state-machine.ts';
import { requireStepUpToDestroy } from '../commands/step-up-when-destroying.ts';
import { findConsequence } from './data/find-consequence.ts';
import { insertApproval } from './data/approval-queries.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import { changeProgress, requireLockedAirBlast, recordAirBlast } from './change-progress.ts';
import { getAirBlast } from './get-air-blast.ts';
import { markTokenIssued } from './steps/mark-token-issued.ts';
import { isSecondPerson } from './operator-policy.ts';
import { approvalText } from './approval-text.ts';
import { selectTargetSet } from './data/targets/target-set-queries.ts';
import { notifyDecision } from './notify-users.ts';

export type DecideApproval = z.infer<typeof decideAirBlastInput> & {
  readonly origin: RequestOrigin;
};

/** Approves and signs a plan. See `decision`. */
export const approveAirBlast = decision('approved');
/** Rejects a plan. The rollout can be edited or aborted. */
export const rejectAirBlast = decision('rejected');

/**
 * A second person's decision about one plan, identified by the hash of everything that will be executed.
 *
 * @throws PortalError 2003; 1000 for a user who planned or operated it, or whose scope does not cover all devices; 2004
 *   if the plan is not the one that was shown, or is not waiting for approval
 */
function decision(verdict: 'approved' | 'rejected') {
  return async (
    deps: AirBlastDeps,
    viewer: Viewer,
    input: DecideApproval,
  ): Promise<AirBlastDetail> => {
    if (verdict === 'approved') {
      const consequence = await findConsequence(deps.database.orm, input.id);
      await requireStepUpToDestroy(input.origin, consequence);
    }
    await inTransaction(deps.database, async (tx) => {
      const locked = await requireLockedAirBlast(tx, viewer, input.id, 'air-blast:approve');
      await requireApprover(tx, locked, viewer);
      requireSamePlan(locked, input.planSha256);
      const now = deps.clock();
      const kind = verdict === 'approved' ? 'approve' : 'reject';
      const decided = await changeProgress(
        tx,
        locked,
        { kind },
        { stateReason: verdict === 'rejected' ? 'rejected' : '', updatedAt: now },
      );
      const signature = deps.signApproval(
        approvalText({ ...locked, byId: viewer.userId, decision: verdict, at: now }),
      );
      await insertApproval(tx, {
        id: newId(now.getTime()),
        airBlastId: locked.id,
        revision: locked.revision,
        planSha256: locked.planSha256,
        effect: locked.effect,
        deviceIds: await selectTargetSet(tx, locked),
        targetSha256: locked.targetSha256,
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
      await notifyDecision(tx, decided);
      if (nextStepOf(decided) !== null) await markTokenIssued(tx, decided, now);
    });
    return getAirBlast(deps, viewer, input.id);
  };
}

async function requireApprover(
  tx: Transaction,
  locked: AirBlastRecord,
  viewer: Viewer,
): Promise<void> {
  if (await isSecondPerson(tx, locked, viewer.userId)) return;
  throw refuse('rollout-needs-second-person', { facts: { permission: 'air-blast:approve' } });
}

function requireSamePlan(locked: AirBlastRecord, seen: string): void {
  if (locked.planSha256 === seen && locked.effect !== null) return;
  throw refuse('plan-changed', { field: 'planSha256', facts: { reason: 'plan-changed' } });
}
