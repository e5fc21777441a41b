import { limitOf } from '../../commands/execution/run-state-machine.ts';
import { AuthorizationMismatchError } from '../../commands/signing/authorization-mismatch-error.ts';
import { reportMismatch } from '../../commands/signing/report-mismatch.ts';
import { systemActor } from '../../audit-trail/record-audit.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { AirBlastDeps } from '../air-blast-deps.ts';
import { findAirBlast, lockAirBlast, selectActiveIds } from '../data/rollout-queries.ts';
import { selectSteps, type StepRow } from '../data/step-queries.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import { recordAirBlast } from '../change-progress.ts';
import { endAirBlastStep } from './end-step.ts';
import { pauseOrResumeWaves } from './pause-or-resume-waves.ts';
import { evaluateRollout, evaluateCanary, evaluateVerification } from './evaluate-step.ts';
import { newWaves, type StepOutcome } from './prepare-step.ts';
import { findPlanDrift, type PlanDrift } from '../plan/find-plan-drift.ts';
import { cancelWave, isRefusal, sendWave } from './send-wave.ts';
import { countOutcomes } from '../data/targets/target-count-queries.ts';
import { selectDeviceIds } from '../data/targets/target-part-queries.ts';
import {
  findRunOfWave,
  insertWaves,
  selectWaves,
  updateWave,
  type WaveRow,
} from '../data/waves/wave-queries.ts';

/** One pass over all active rollouts. The workers of all servers repeat it. */
export async function advanceAirBlasts(
  deps: AirBlastDeps,
  onError: (error: unknown, id: string) => void,
): Promise<void> {
  for (const id of await selectActiveIds(deps.database.orm)) {
    await advanceAirBlast(deps, id).catch((error: unknown) => onError(error, id));
  }
}

/**
 * Advances a rollout as far as possible. Each decision is stored before it is executed, so a server that stops, or a
 * second one at the same time, neither repeats nor loses anything.
 */
export async function advanceAirBlast(deps: AirBlastDeps, id: string): Promise<void> {
  const { orm } = deps.database;
  const run = await findAirBlast(orm, id, 'all');
  if (run === undefined) return;
  const step = (await selectSteps(orm, run)).findLast((one) => one.step === run.step);
  if (step === undefined) return;
  const waves = await selectWaves(orm, run);
  if (run.state === 'aborted') return cancelOpenWaves(deps, { run, step, waves });
  if (run.stepState !== 'running' || run.state === 'failed') return;
  await pauseOrResumeWaves(deps, { run, step, waves });
  // A wave that was opened but not sent before a pause is sent after it.
  const isHeld = run.state === 'paused';
  for (const wave of isHeld
    ? []
    : waves.filter(({ openedAt, runId }) => openedAt !== null && runId === null)) {
    try {
      const drift = await findPlanDrift(deps, { run, step, waves, wave });
      if (drift !== null) {
        await failOnDrift(deps, run, drift);
        return;
      }
      await sendWave(deps, { run, step, wave });
    } catch (error) {
      if (error instanceof AuthorizationMismatchError) {
        await failOnDrift(deps, run, { why: 'effect', changes: [], mismatch: error.mismatch });
        return;
      }
      if (!isRefusal(error)) throw error;
      const evidence = { refused: error.code, message: error.message };
      await failStep(deps, run, { reason: 'command-refused', evidence });
      return;
    }
  }
  const opened = await inTransaction(deps.database, (tx) => continueStep(tx, deps, id));
  if (opened) await advanceAirBlast(deps, id);
}

async function cancelOpenWaves(
  deps: AirBlastDeps,
  { run, step, waves }: { run: AirBlastRecord; step: StepRow; waves: readonly WaveRow[] },
): Promise<void> {
  for (const wave of waves.filter(
    ({ openedAt, endedAt }) => openedAt !== null && endedAt === null,
  )) {
    if (!(await cancelWave(deps, { run, step, wave }))) continue;
    await inTransaction(deps.database, (tx) => updateWave(tx, wave, { endedAt: deps.clock() }));
  }
}

async function failStep(
  deps: AirBlastDeps,
  run: AirBlastRecord,
  { reason, evidence }: Pick<StepOutcome, 'reason' | 'evidence'>,
): Promise<void> {
  await inTransaction(deps.database, async (tx) => {
    const locked = await lockAirBlast(tx, run.id, 'all');
    if (locked?.stepState !== 'running') return;
    await endAirBlastStep(tx, locked, { passed: false, reason, evidence, now: deps.clock() });
  });
}

/** Fails a step whose stored data differs from what was planned, authorized, or approved. Nothing is signed. */
async function failOnDrift(
  deps: AirBlastDeps,
  run: AirBlastRecord,
  { why, changes, mismatch }: PlanDrift,
): Promise<void> {
  const evidence = { why, changes, fault: mismatch.fault, changed: mismatch.changed };
  const told = await inTransaction(deps.database, async (tx) => {
    const locked = await lockAirBlast(tx, run.id, 'all');
    if (locked?.stepState !== 'running') return [];
    const outcome = { passed: false, reason: 'plan-changed', evidence } as const;
    await endAirBlastStep(tx, locked, { ...outcome, now: deps.clock() });
    if (locked.approved) {
      await recordAirBlast(tx, locked, {
        type: 'air-blast.approval-voided',
        actor: systemActor,
        data: { step: locked.step, ...evidence },
      });
    }
    return reportMismatch(tx, { kind: 'rollout', id: run.id, name: run.name, ...mismatch });
  });
  deps.changes.publish(told);
}

/** Records ended waves, then ends the step or opens its next wave. True if a wave can be sent immediately. */
async function continueStep(tx: Transaction, deps: AirBlastDeps, id: string): Promise<boolean> {
  const locked = await lockAirBlast(tx, id, 'all');
  if (locked?.stepState !== 'running' || locked.state === 'failed') return false;
  const now = deps.clock();
  const step = (await selectSteps(tx, locked)).findLast((one) => one.step === locked.step);
  if (step === undefined) return false;
  const waves = await recordEndedWaves(tx, { locked, step, now });
  if (waves.some(({ openedAt, endedAt }) => openedAt !== null && endedAt === null)) return false;
  const outcome = await evaluate(tx, locked, { waves, now, startedAt: step.startedAt });
  if (outcome === 'wait') return false;
  if (outcome !== 'next-wave') {
    await endAirBlastStep(tx, locked, { ...outcome, now });
    return false;
  }
  if (locked.state === 'paused') return false;
  return openNext(tx, locked, { waves, now });
}

async function recordEndedWaves(
  tx: Transaction,
  { locked, step, now }: { locked: AirBlastRecord; step: StepRow; now: Date },
): Promise<WaveRow[]> {
  const waves = await selectWaves(tx, locked);
  const noted: WaveRow[] = [];
  for (const wave of waves) {
    const isUnderWay = wave.runId !== null && wave.endedAt === null;
    const sent = isUnderWay ? await findRunOfWave(tx, wave, step.operatorId) : undefined;
    if (sent?.ended === true) await updateWave(tx, wave, { endedAt: now });
    noted.push(sent?.ended === true ? { ...wave, endedAt: now } : wave);
  }
  return noted;
}

function evaluate(
  tx: Transaction,
  locked: AirBlastRecord,
  state: { readonly waves: readonly WaveRow[]; readonly now: Date; readonly startedAt: Date },
): Promise<StepOutcome | 'wait' | 'next-wave'> {
  if (locked.step === 'canary') return evaluateCanary(tx, locked, state);
  if (locked.step === 'blast') return evaluateRollout(tx, locked, state);
  return evaluateVerification(tx, locked, state);
}

/** Opens a wave. It may have the errors that earlier waves have left of the allowed ones. */
async function openNext(
  tx: Transaction,
  locked: AirBlastRecord,
  { waves, now }: { readonly waves: readonly WaveRow[]; readonly now: Date },
): Promise<boolean> {
  const wave =
    waves.find(({ openedAt }) => openedAt === null) ?? (await addVerification(tx, locked, waves));
  if (wave === undefined) return false;
  const maxErrors = await errorsLeft(tx, locked, waves);
  await updateWave(tx, wave, { openedAt: now, maxErrors: String(maxErrors) });
  await recordAirBlast(tx, locked, {
    type: 'air-blast.wave-opened',
    actor: systemActor,
    data: {
      step: locked.step,
      attempt: locked.attempt,
      wave: wave.wave,
      devices: wave.deviceIds.length,
    },
  });
  return true;
}

/** Canaries are not limited: the threshold applies when all have ended. */
async function errorsLeft(
  tx: Transaction,
  locked: AirBlastRecord,
  waves: readonly WaveRow[],
): Promise<number> {
  const total = waves.reduce((sum, { deviceIds }) => sum + deviceIds.length, 0);
  if (locked.step !== 'blast') return total;
  const tried = waves
    .filter(({ endedAt }) => endedAt !== null)
    .flatMap(({ deviceIds }) => deviceIds);
  const { errors } = await countOutcomes(tx, locked, tried);
  return Math.max(0, limitOf(locked.options.maxErrors, total, 0) - errors);
}

async function addVerification(
  tx: Transaction,
  locked: AirBlastRecord,
  waves: readonly WaveRow[],
): Promise<WaveRow | undefined> {
  const attempted = await selectDeviceIds(tx, locked, 'attempted');
  const from = waves.length + 1;
  await insertWaves(tx, newWaves(locked, [attempted], { kind: 'verify', from }));
  return (await selectWaves(tx, locked)).find(({ openedAt }) => openedAt === null);
}
