import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf } from '../../audit-trail/record-audit.ts';
import { targetSha256 } from '../../commands/target/resolve-target.ts';
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
  requireLockedAirBlast,
  recordAirBlast,
  requireOperator,
  requireActiveRole,
} from '../change-progress.ts';
import { getAirBlast } from '../get-air-blast.ts';
import { markTokenIssued } from './mark-token-issued.ts';
import { mayLeaveOut } from './leave-out-policy.ts';
import type { OperateAirBlast } from '../operate-air-blast.ts';
import { authorizePlan, findPlanMismatch } from '../plan/plan-authorization.ts';
import { leaveOutTargets, selectTargetSet } from '../data/targets/target-set-queries.ts';
import { selectDeviceIds } from '../data/targets/target-part-queries.ts';

/**
 * Continues without the devices on which a step failed. The target set is then a new one and must be approved again if
 * the change requires approval. After verification, the rollout ends.
 *
 * @throws PortalError 2003, 1000; 2004 if no step has failed, too many devices have, or the plan is not the authorized
 *   one
 */
export async function leaveOutFailed(
  deps: AirBlastDeps,
  viewer: Viewer,
  input: Omit<OperateAirBlast, 'reason'>,
): Promise<AirBlastDetail> {
  await inTransaction(deps.database, async (tx) => {
    const locked = await requireLockedAirBlast(tx, viewer, input.id);
    requireOperator(locked, viewer);
    await requireActiveRole(deps, locked, input.origin);
    if (!mayLeaveOut(locked, await selectSteps(tx, locked))) {
      throw refuse('too-many-failed', {
        facts: { reason: 'too-many-failed', state: locked.state, step: locked.step },
      });
    }
    await requireAuthorizedPlan(tx, deps, locked);
    const leftOut = await leaveOut(tx, locked);
    const hasRest = (await selectDeviceIds(tx, locked, 'remaining')).length > 0;
    const now = deps.clock();
    const ends = locked.step === 'verify';
    const changed = await changeProgress(
      tx,
      locked,
      { kind: 'leave-out', hasRest },
      { stateReason: '', tokenIssuedAt: null, updatedAt: now, ...(ends ? { endedAt: now } : {}) },
    );
    await addStepEvidence(tx, locked, { leftOut: leftOut.length, leftOutBy: viewer.username });
    const target =
      changed.step === 'canary'
        ? await updateTargetSet(tx, deps, changed, { viewer, now })
        : changed;
    await recordAirBlast(tx, target, {
      type: 'air-blast.left-out',
      actor: actorOf(viewer, input.origin),
      requestId: input.origin.requestId,
      data: { step: locked.step, leftOut: leftOut.length, planSha256Before: locked.planSha256 },
    });
    if (nextStepOf(target) !== null) await markTokenIssued(tx, target, now);
  });
  return getAirBlast(deps, viewer, input.id);
}

/** After verification no device is left out: no step follows, and differences are part of the result. */
async function leaveOut(tx: Transaction, locked: AirBlastRecord): Promise<string[]> {
  if (locked.step !== 'canary' && locked.step !== 'blast') return [];
  const part = locked.step === 'canary' ? 'canary-failed' : 'rollout-errors';
  const failed = await selectDeviceIds(tx, locked, part);
  await leaveOutTargets(tx, locked, failed);
  return failed;
}

/** The smaller plan is signed again, so the current one must be the authorized one. */
async function requireAuthorizedPlan(
  tx: Transaction,
  deps: AirBlastDeps,
  locked: AirBlastRecord,
): Promise<void> {
  const isSameSet =
    locked.effect?.devices.sha256 === targetSha256(await selectTargetSet(tx, locked));
  const isSameEffect = locked.effect !== null && effectSha256(locked.effect) === locked.planSha256;
  if (isSameSet && isSameEffect && findPlanMismatch(deps, locked) === null) return;
  throw refuse('plan-mismatch', { facts: { reason: 'authorization-mismatch' } });
}

async function updateTargetSet(
  tx: Transaction,
  deps: AirBlastDeps,
  locked: AirBlastRecord,
  { viewer, now }: { readonly viewer: Viewer; readonly now: Date },
): Promise<AirBlastRecord> {
  const left = await selectTargetSet(tx, locked);
  const sha256 = targetSha256(left);
  const devices = { sha256, count: left.length };
  const effect = locked.effect === null ? null : { ...locked.effect, devices };
  const patch = {
    targetSha256: sha256,
    targetCount: left.length,
    effect,
    planSha256: effect === null ? '' : effectSha256(effect),
  };
  const authorization = await authorizePlan(deps, { ...locked, ...patch }, { viewer, at: now });
  await updateAirBlast(tx, locked.id, { ...patch, authorization });
  return { ...locked, ...patch, authorization };
}
