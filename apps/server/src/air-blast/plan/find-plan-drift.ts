import type { EffectChange } from '@deviceportal/contract/effect-changes';
import { PortalError } from '@deviceportal/contract/errors';
import { effectChanges } from '../../commands/effect/effect-changes.ts';
import { effectSha256 } from '../../commands/effect/effect-sha256.ts';
import type { PlannedEffect } from '../../commands/effect/planned-effect.ts';
import { limitOf } from '../../commands/execution/run-state-machine.ts';
import type { AuthorizationMismatch } from '../../commands/signing/authorization.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { stepNeedsApproval } from '../air-blast-state-machine.ts';
import { selectApprovals, type ApprovalRow } from '../data/approval-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { StepRow } from '../data/step-queries.ts';
import { approvalText } from '../approval-text.ts';
import { findPlanMismatch } from './plan-authorization.ts';
import { currentEffect } from './plan-effect.ts';
import { openStoreParameters } from './store-parameters.ts';
import { findStepMismatch } from '../steps/step-authorization.ts';
import { countOutsideSet } from '../data/targets/target-set-queries.ts';
import type { WaveRow } from '../data/waves/wave-queries.ts';

/** Why a wave is not sent: it differs from what was planned, authorized, or approved. */
export interface PlanDrift {
  readonly why: 'effect' | 'devices' | 'authorization' | 'limits' | 'approval';
  readonly changes: readonly EffectChange[];
  readonly mismatch: AuthorizationMismatch;
}

export interface WaveToSend {
  readonly run: AirBlastRecord;
  readonly step: StepRow;
  /** All waves of the step. */
  readonly waves: readonly WaveRow[];
  readonly wave: WaveRow;
}

/**
 * Compares a wave with the plan, the operator's authorization, and the approval immediately before it is sent.
 * Documents, parameters, devices, and strategy are read again, and signatures are checked, because the database is not
 * trusted.
 */
export async function findPlanDrift(
  deps: AirBlastDeps,
  { run, step, waves, wave }: WaveToSend,
): Promise<PlanDrift | null> {
  const { orm } = deps.database;
  const effect = await readEffect(deps, run).catch(unreadable);
  if (effect === null) return drift('effect', ['parameters']);
  if (run.effect === null || effectSha256(effect) !== run.planSha256) {
    const changes = run.effect === null ? [] : effectChanges(run.effect, effect);
    return { ...drift('effect', [...new Set(changes.map(({ part }) => part))]), changes };
  }
  if ((await countOutsideSet(orm, run, wave.deviceIds)) > 0) return drift('devices', ['devices']);
  const mismatch = findPlanMismatch(deps, run) ?? findStepMismatch(deps, run, { step, waves });
  if (mismatch !== null) return { why: 'authorization', changes: [], mismatch };
  if (!isWithinErrors(run, waves, wave)) return drift('limits', ['maxErrors']);
  if (waves.some((one) => one.wave < wave.wave && one.endedAt === null))
    return drift('limits', ['openedAt']);
  if (!stepNeedsApproval(run, run.step)) return null;
  const approvals = await selectApprovals(orm, run.id);
  const isApproved = approvals.some((one) => isApprovalOf(deps, { run, step }, one));
  return run.approved && isApproved ? null : drift('approval', ['approval']);
}

const drift = (why: PlanDrift['why'], changed: readonly string[]): PlanDrift => ({
  why,
  changes: [],
  mismatch: { fault: 'changed', changed },
});

async function readEffect(deps: AirBlastDeps, run: AirBlastRecord): Promise<PlannedEffect> {
  openStoreParameters(deps.vault, run, run.storeParameters);
  return currentEffect(deps.database.orm, deps, run);
}

/** A modified sealed value cannot be opened. A deleted document is a separate error. */
function unreadable(error: unknown): null {
  if (error instanceof PortalError) throw error;
  return null;
}

/** Whether a wave allows at most as many errors as the whole step. */
function isWithinErrors(
  { step, options }: AirBlastRecord,
  waves: readonly WaveRow[],
  { maxErrors }: WaveRow,
): boolean {
  if (step !== 'blast') return true;
  const total = waves.reduce((sum, { deviceIds }) => sum + deviceIds.length, 0);
  return Number(maxErrors ?? 0) <= limitOf(options.maxErrors, total, 0);
}

/** Whether an approval is of this plan, signed by this installation, and by a user other than the operator. */
function isApprovalOf(
  { approvalSignatures }: Pick<AirBlastDeps, 'approvalSignatures'>,
  { run, step }: Pick<WaveToSend, 'run' | 'step'>,
  one: ApprovalRow,
): boolean {
  return (
    one.decision === 'approved' &&
    one.revision === run.revision &&
    one.planSha256 === run.planSha256 &&
    one.byId !== run.operatorId &&
    one.byId !== step.operatorId &&
    approvalSignatures(approvalText({ ...one, id: run.id })).includes(one.signature)
  );
}
