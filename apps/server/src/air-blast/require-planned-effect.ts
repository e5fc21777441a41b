import type { EffectChange } from '@deviceportal/contract/effect-changes';
import { effectChanges } from '../commands/effect/effect-changes.ts';
import { effectSha256 } from '../commands/effect/effect-sha256.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { stepNeedsApproval } from './air-blast-state-machine.ts';
import { selectApprovals, type AirBlastRecord, type ApprovalRow } from './air-blast-store.ts';
import { approvalText } from './approval-text.ts';
import { currentEffect } from './plan-effect.ts';
import { countOutsideSet } from './target-set-store.ts';
import type { WaveRow } from './wave-store.ts';

/** Why a wave may not be sent: what it would do is not what was planned, or not what was approved. */
export interface PlanDrift {
  readonly why: 'effect' | 'devices' | 'approval';
  readonly changes: readonly EffectChange[];
}

/**
 * Compares a wave with the plan and its approval right before it is sent: documents, parameters, devices and strategy
 * are read anew, and the approval's signature is checked, so that what the database says now is not taken on trust.
 */
export async function findPlanDrift(
  deps: AirBlastDeps,
  run: AirBlastRecord,
  wave: WaveRow,
): Promise<PlanDrift | null> {
  const { orm } = deps.database;
  const effect = await currentEffect(orm, deps, run);
  if (run.effect === null || effectSha256(effect) !== run.planSha256) {
    return { why: 'effect', changes: run.effect === null ? [] : effectChanges(run.effect, effect) };
  }
  if ((await countOutsideSet(orm, run, wave.deviceIds)) > 0) return { why: 'devices', changes: [] };
  if (!stepNeedsApproval(run, run.step)) return null;
  const approvals = await selectApprovals(orm, run.id);
  const holds = approvals.some((one) => isApprovalOf(deps, run, one));
  return run.approved && holds ? null : { why: 'approval', changes: [] };
}

/** An approval of exactly this plan, signed by this installation, by a person who is not operating the run. */
function isApprovalOf(
  { signApproval }: Pick<AirBlastDeps, 'signApproval'>,
  run: AirBlastRecord,
  one: ApprovalRow,
): boolean {
  return (
    one.decision === 'approved' &&
    one.revision === run.revision &&
    one.planSha256 === run.planSha256 &&
    one.byId !== run.operatorId &&
    one.signature === signApproval(approvalText({ ...one, id: run.id }))
  );
}
