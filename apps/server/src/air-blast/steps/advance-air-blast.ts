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
import { holdWaves } from './hold-waves.ts';
import { judgeBlast, judgeCanary, judgeVerification } from './judge-step.ts';
import { wavesOf, type StepOutcome } from './prepare-step.ts';
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

/** One round over everything that is under way: what the worker repeats, on as many servers as there are. */
export async function advanceAirBlasts(
  deps: AirBlastDeps,
  onError: (error: unknown, id: string) => void,
): Promise<void> {
  for (const id of await selectActiveIds(deps.database.orm)) {
    await advanceAirBlast(deps, id).catch((error: unknown) => onError(error, id));
  }
}

/**
 * Takes a run as far as it goes now. Everything it decides is in the database before it is done, so a server that
 * ends at any point, or a second one at the same time, repeats nothing and loses nothing.
 */
export async function advanceAirBlast(deps: AirBlastDeps, id: string): Promise<void> {
  const { orm } = deps.database;
  const run = await findAirBlast(orm, id, 'all');
  if (run === undefined) return;
  const step = (await selectSteps(orm, run)).findLast((one) => one.step === run.step);
  if (step === undefined) return;
  const waves = await selectWaves(orm, run);
  if (run.state === 'aborted') return endAborted(deps, { run, step, waves });
  if (run.stepState !== 'running' || run.state === 'failed') return;
  await holdWaves(deps, { run, step, waves });
  // One that was opened and not sent when the pause came is sent when the run goes on.
  const isHeld = run.state === 'paused';
  for (const wave of isHeld
    ? []
    : waves.filter(({ openedAt, runId }) => openedAt !== null && runId === null)) {
    try {
      const drift = await findPlanDrift(deps, { run, step, waves, wave });
      if (drift !== null) {
        await failChanged(deps, run, drift);
        return;
      }
      await sendWave(deps, { run, step, wave });
    } catch (error) {
      if (error instanceof AuthorizationMismatchError) {
        await failChanged(deps, run, { why: 'effect', changes: [], mismatch: error.mismatch });
        return;
      }
      if (!isRefusal(error)) throw error;
      const evidence = { refused: error.code, message: error.message };
      await failStep(deps, run, { reason: 'command-refused', evidence });
      return;
    }
  }
  const opened = await inTransaction(deps.database, (tx) => goOn(tx, deps, id));
  if (opened) await advanceAirBlast(deps, id);
}

async function endAborted(
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
    const held = await lockAirBlast(tx, run.id, 'all');
    if (held?.stepState !== 'running') return;
    await endAirBlastStep(tx, held, { passed: false, reason, evidence, now: deps.clock() });
  });
}

/** What is on record is not what was planned, authorized or approved: nothing of it is signed. */
async function failChanged(
  deps: AirBlastDeps,
  run: AirBlastRecord,
  { why, changes, mismatch }: PlanDrift,
): Promise<void> {
  const evidence = { why, changes, fault: mismatch.fault, changed: mismatch.changed };
  const told = await inTransaction(deps.database, async (tx) => {
    const held = await lockAirBlast(tx, run.id, 'all');
    if (held?.stepState !== 'running') return [];
    const outcome = { passed: false, reason: 'plan-changed', evidence } as const;
    await endAirBlastStep(tx, held, { ...outcome, now: deps.clock() });
    if (held.approved) {
      await recordAirBlast(tx, held, {
        type: 'air-blast.approval-voided',
        actor: systemActor,
        data: { step: held.step, ...evidence },
      });
    }
    return reportMismatch(tx, { kind: 'rollout', id: run.id, name: run.name, ...mismatch });
  });
  deps.changes.publish(told);
}

/** Notes ended waves, then ends the step or opens its next wave. True when there is something to send at once. */
async function goOn(tx: Transaction, deps: AirBlastDeps, id: string): Promise<boolean> {
  const held = await lockAirBlast(tx, id, 'all');
  if (held?.stepState !== 'running' || held.state === 'failed') return false;
  const now = deps.clock();
  const step = (await selectSteps(tx, held)).findLast((one) => one.step === held.step);
  if (step === undefined) return false;
  const waves = await noteEnded(tx, { held, step, now });
  if (waves.some(({ openedAt, endedAt }) => openedAt !== null && endedAt === null)) return false;
  const outcome = await judge(tx, held, { waves, now, startedAt: step.startedAt });
  if (outcome === 'wait') return false;
  if (outcome !== 'next-wave') {
    await endAirBlastStep(tx, held, { ...outcome, now });
    return false;
  }
  if (held.state === 'paused') return false;
  return openNext(tx, held, { waves, now });
}

async function noteEnded(
  tx: Transaction,
  { held, step, now }: { held: AirBlastRecord; step: StepRow; now: Date },
): Promise<WaveRow[]> {
  const waves = await selectWaves(tx, held);
  const noted: WaveRow[] = [];
  for (const wave of waves) {
    const isUnderWay = wave.runId !== null && wave.endedAt === null;
    const sent = isUnderWay ? await findRunOfWave(tx, wave, step.operatorId) : undefined;
    if (sent?.ended === true) await updateWave(tx, wave, { endedAt: now });
    noted.push(sent?.ended === true ? { ...wave, endedAt: now } : wave);
  }
  return noted;
}

function judge(
  tx: Transaction,
  held: AirBlastRecord,
  state: { readonly waves: readonly WaveRow[]; readonly now: Date; readonly startedAt: Date },
): Promise<StepOutcome | 'wait' | 'next-wave'> {
  if (held.step === 'canary') return judgeCanary(tx, held, state);
  if (held.step === 'blast') return judgeBlast(tx, held, state);
  return judgeVerification(tx, held, state);
}

/** Opens one wave: it may make as many errors as those before it have left. */
async function openNext(
  tx: Transaction,
  held: AirBlastRecord,
  { waves, now }: { readonly waves: readonly WaveRow[]; readonly now: Date },
): Promise<boolean> {
  const wave =
    waves.find(({ openedAt }) => openedAt === null) ?? (await addVerification(tx, held, waves));
  if (wave === undefined) return false;
  const maxErrors = await errorsLeft(tx, held, waves);
  await updateWave(tx, wave, { openedAt: now, maxErrors: String(maxErrors) });
  await recordAirBlast(tx, held, {
    type: 'air-blast.wave-opened',
    actor: systemActor,
    data: {
      step: held.step,
      attempt: held.attempt,
      wave: wave.wave,
      devices: wave.deviceIds.length,
    },
  });
  return true;
}

/** Canaries are all tried: how many of them may fail is the step's own threshold. */
async function errorsLeft(
  tx: Transaction,
  held: AirBlastRecord,
  waves: readonly WaveRow[],
): Promise<number> {
  const total = waves.reduce((sum, { deviceIds }) => sum + deviceIds.length, 0);
  if (held.step !== 'blast') return total;
  const tried = waves
    .filter(({ endedAt }) => endedAt !== null)
    .flatMap(({ deviceIds }) => deviceIds);
  const { errors } = await countOutcomes(tx, held, tried);
  return Math.max(0, limitOf(held.options.maxErrors, total, 0) - errors);
}

async function addVerification(
  tx: Transaction,
  held: AirBlastRecord,
  waves: readonly WaveRow[],
): Promise<WaveRow | undefined> {
  const attempted = await selectDeviceIds(tx, held, 'attempted');
  const from = waves.length + 1;
  await insertWaves(tx, wavesOf(held, [attempted], { kind: 'verify', from }));
  return (await selectWaves(tx, held)).find(({ openedAt }) => openedAt === null);
}
