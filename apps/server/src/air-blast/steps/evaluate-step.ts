import { limitOf } from '../../commands/execution/run-state-machine.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { StepOutcome } from './prepare-step.ts';
import { countOutcomes } from '../data/targets/target-count-queries.ts';
import { verifyTargets } from '../data/targets/verify-targets.ts';
import type { WaveRow } from '../data/waves/wave-queries.ts';

/** A step is evaluated when all its open waves have ended. */
export interface StepProgress {
  readonly waves: readonly WaveRow[];
  readonly now: Date;
  readonly startedAt: Date;
}

export type StepEvaluation = StepOutcome | 'wait' | 'next-wave';

const isPending = ({ openedAt }: WaveRow): boolean => openedAt === null;
const sum = (waves: readonly WaveRow[]): number =>
  waves.reduce((all, { deviceIds }) => all + deviceIds.length, 0);

/** Passes if enough canaries succeeded and the monitoring time of the plan is over. */
export async function evaluateCanary(
  tx: Transaction,
  run: AirBlastRecord,
  { waves, now }: StepProgress,
): Promise<StepEvaluation> {
  if (waves.some(isPending)) return 'next-wave';
  const { total, success } = await countOutcomes(tx, run, 'canaries');
  const { successPercent, soakSeconds } = run.options;
  const passed = success * 100 >= successPercent * total;
  const lastEndMs = Math.max(0, ...waves.map(({ endedAt }) => endedAt?.getTime() ?? 0));
  if (passed && now.getTime() < lastEndMs + soakSeconds * 1_000) return 'wait';
  return {
    passed,
    reason: passed ? '' : 'too-few-succeeded',
    evidence: { total, success, failed: total - success, successPercent },
  };
}

/** The next wave opens while all waves together do not exceed the errors allowed. */
export async function evaluateRollout(
  tx: Transaction,
  run: AirBlastRecord,
  { waves }: StepProgress,
): Promise<StepEvaluation> {
  const tried = waves.filter((wave) => !isPending(wave));
  const { total, success, errors } = await countOutcomes(
    tx,
    run,
    tried.flatMap(({ deviceIds }) => deviceIds),
  );
  const allowed = limitOf(run.options.maxErrors, sum(waves), 0);
  const evidence = {
    total,
    success,
    failed: errors,
    errorsAllowed: allowed,
    notSent: sum(waves) - total,
  };
  if (errors > allowed) return { passed: false, reason: 'too-many-errors', evidence };
  return waves.some(isPending) ? 'next-wave' : { passed: true, reason: '', evidence };
}

/** Compares the devices with the target state, and waits for their reports as long as the plan says. */
export async function evaluateVerification(
  tx: Transaction,
  run: AirBlastRecord,
  { waves, now, startedAt }: StepProgress,
): Promise<StepEvaluation> {
  if (waves.some(isPending)) return 'next-wave';
  const byDocument = run.options.verifyDocument !== null;
  if (byDocument && !waves.some(({ kind }) => kind === 'verify')) return 'next-wave';
  const { total, verified } = await verifyTargets(tx, { ...run, byDocument });
  const isReported = !byDocument && run.component !== null;
  const lastEndMs = Math.max(
    startedAt.getTime(),
    ...waves.map(({ endedAt }) => endedAt?.getTime() ?? 0),
  );
  const waitsUntilMs = lastEndMs + run.options.verifySeconds * 1_000;
  if (isReported && verified < total && now.getTime() < waitsUntilMs) return 'wait';
  const passed = verified * 100 >= run.options.successPercent * total;
  return {
    passed,
    reason: passed ? '' : 'too-few-verified',
    evidence: { total, success: verified, failed: total - verified },
  };
}
