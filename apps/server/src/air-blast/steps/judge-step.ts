import { limitOf } from '../../commands/execution/run-state-machine.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { AirBlastRecord } from '../data/air-blast-record.ts';
import type { StepOutcome } from './prepare-step.ts';
import { countOutcomes } from '../data/targets/target-count-queries.ts';
import { verifyTargets } from '../data/targets/verify-targets.ts';
import type { WaveRow } from '../data/waves/wave-queries.ts';

/** Every wave that was opened has ended when a step is judged. */
export interface StepSoFar {
  readonly waves: readonly WaveRow[];
  readonly now: Date;
  readonly startedAt: Date;
}

export type Judgement = StepOutcome | 'wait' | 'next-wave';

const isPending = ({ openedAt }: WaveRow): boolean => openedAt === null;
const sum = (waves: readonly WaveRow[]): number =>
  waves.reduce((all, { deviceIds }) => all + deviceIds.length, 0);

/** Enough canaries have succeeded, and have been watched for as long as the plan says. */
export async function judgeCanary(
  tx: Transaction,
  run: AirBlastRecord,
  { waves, now }: StepSoFar,
): Promise<Judgement> {
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

/** The next wave opens while all waves together have no more errors than are allowed. */
export async function judgeBlast(
  tx: Transaction,
  run: AirBlastRecord,
  { waves }: StepSoFar,
): Promise<Judgement> {
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

/** What devices say now is compared with the intent, for as long as reports may take. */
export async function judgeVerification(
  tx: Transaction,
  run: AirBlastRecord,
  { waves, now, startedAt }: StepSoFar,
): Promise<Judgement> {
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
