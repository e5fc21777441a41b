import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { targetSha256 } from '../../commands/target/freeze-target.ts';
import { effectSha256 } from '../../commands/effect/effect-sha256.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { nextStepOf } from '../air-blast-state-machine.ts';
import { addStepEvidence, selectSteps } from '../data/step-queries.ts';
import { updateAirBlast } from '../data/rollout-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import {
  changeProgress,
  holdAirBlast,
  recordAirBlast,
  requireOperator,
  requireRoleInForce,
} from '../change-progress.ts';
import { getAirBlast } from '../get-air-blast.ts';
import { handOnToken } from './hand-on-token.ts';
import { isFew } from './leave-out-policy.ts';
import type { OperateAirBlast } from '../operate-air-blast.ts';
import { authorizePlan, findPlanMismatch } from '../plan/plan-authorization.ts';
import { leaveOutTargets, selectTargetSet } from '../data/targets/target-set-queries.ts';
import { selectDeviceIds } from '../data/targets/target-part-queries.ts';

/**
 * Goes on without the devices that a step has failed on. The set that is still to be changed is another one from then
 * on: where the change needs an approval, it needs it anew. After a verification it is the end of the run.
 *
 * @throws PortalError 2003, 1000; 2004 when no step has failed, or on too many devices, or the plan is not what was
 *   authorized
 */
export async function leaveOutFailed(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const held = await holdAirBlast(tx, viewer, input.id);
    requireOperator(held, viewer);
    await requireRoleInForce(deps, held, input.origin);
    if (!isFew(held, await selectSteps(tx, held))) {
      throw refuse('too-many-failed', {
        facts: { reason: 'too-many-failed', state: held.state, step: held.step },
      });
    }
    await requireAuthorizedPlan(tx, deps, held);
    const leftOut = await leaveOut(tx, held);
    const hasRest = (await selectDeviceIds(tx, held, 'remaining')).length > 0;
    const now = deps.clock();
    const ends = held.step === 'verify';
    const changed = await changeProgress(
      tx,
      held,
      { kind: 'leave-out', hasRest },
      { stateReason: '', tokenIssuedAt: null, updatedAt: now, ...(ends ? { endedAt: now } : {}) },
    );
    await addStepEvidence(tx, held, { leftOut: leftOut.length, leftOutBy: viewer.username });
    const target =
      changed.step === 'canary' ? await freezeAgain(tx, deps, changed, { viewer, now }) : changed;
    await recordAirBlast(tx, target, {
      type: 'air-blast.left-out',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      data: { step: held.step, leftOut: leftOut.length, planSha256Before: held.planSha256 },
    });
    if (nextStepOf(target) !== null) await handOnToken(tx, target, now);
  });
  return getAirBlast(deps, viewer, input.id);
}

/** What a verification found different stays part of the result: nothing follows that it could be kept out of. */
async function leaveOut(tx: Transaction, held: AirBlastRecord): Promise<string[]> {
  if (held.step !== 'canary' && held.step !== 'blast') return [];
  const part = held.step === 'canary' ? 'canary-failed' : 'rollout-errors';
  const failed = await selectDeviceIds(tx, held, part);
  await leaveOutTargets(tx, held, failed);
  return failed;
}

/** What is left is signed as a plan of its own: it must come from one that was. */
async function requireAuthorizedPlan(
  tx: Transaction,
  deps: AirBlastDeps,
  held: AirBlastRecord,
): Promise<void> {
  const isSameSet = held.effect?.devices.sha256 === targetSha256(await selectTargetSet(tx, held));
  const isSameEffect = held.effect !== null && effectSha256(held.effect) === held.planSha256;
  if (isSameSet && isSameEffect && findPlanMismatch(deps, held) === null) return;
  throw refuse('plan-mismatch', { facts: { reason: 'authorization-mismatch' } });
}

async function freezeAgain(
  tx: Transaction,
  deps: AirBlastDeps,
  held: AirBlastRecord,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
): Promise<AirBlastRecord> {
  const left = await selectTargetSet(tx, held);
  const sha256 = targetSha256(left);
  const devices = { sha256, count: left.length };
  const effect = held.effect === null ? null : { ...held.effect, devices };
  const patch = {
    targetSha256: sha256,
    targetCount: left.length,
    effect,
    planSha256: effect === null ? '' : effectSha256(effect),
  };
  const authorization = await authorizePlan(deps, { ...held, ...patch }, { viewer, at: now });
  await updateAirBlast(tx, held.id, { ...patch, authorization });
  return { ...held, ...patch, authorization };
}
