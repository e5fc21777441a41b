/**
 * The interpreter of Command documents, schema 2.2. As on SSM: after a failed step, the next ones
 * run, unless it has `onFailure: exit` (the command fails) or `successAndExit` (the command
 * succeeds). `onSuccess: exit` ends the command successfully. A `finallyStep` always runs, except
 * after cancellation or a timeout. A step whose precondition is not met is skipped. The command
 * fails if any step failed.
 *
 * Pre-check and verification steps are separate phases: a failed pre-check prevents the document
 * from starting, and after a failed verification the command is not successful. `exit` in a phase
 * ends only that phase.
 */

import type { PhaseCounts } from '@deviceportal/contract/document-phases';
import type { DocumentStep, SsmDocument } from '@deviceportal/contract/ssm-document';
import type { StepState } from '@deviceportal/contract/states';
import type { PlatformType } from '../machine/machine.ts';
import type { StepEnd } from '../store/agent-state.ts';
import type { BoundParameters } from './bind-parameters.ts';
import { checkPrecondition } from './precondition.ts';

export interface StepResult {
  readonly state: Extract<StepState, 'Success' | 'Failed' | 'TimedOut' | 'Cancelled'> | 'Restart';
  readonly exitCode: number | null;
  readonly reason: string | null;
}

export interface StepReport {
  readonly index: number;
  readonly step: DocumentStep;
  readonly state: StepState;
  readonly exitCode: number | null;
  readonly startedAtMs: number | null;
  readonly reason: string | null;
}

export interface DocumentResult {
  readonly state: 'Success' | 'Failed' | 'TimedOut' | 'Cancelled' | 'Restart';
  readonly statusDetails:
    | 'Success'
    | 'Failed'
    | 'Execution Timed Out'
    | 'Cancelled'
    | 'Invalid Platform'
    | 'Pre-check Failed'
    | 'Verify Failed';
  readonly responseCode: number;
}

export interface DocumentRun {
  /** Including the steps of all phases. */
  readonly document: SsmDocument;
  readonly phases: PhaseCounts;
  readonly values: BoundParameters;
  readonly platformType: PlatformType;
  /**
   * The step whose process may have outlived the agent. It is adopted even if it is only to be
   * ended.
   */
  readonly takenUp: number | null;
  /** Steps that finished before the agent was restarted. */
  readonly ended: Readonly<Record<number, StepEnd>>;
  /** Aborted with the reason 'cancelled' or 'timed-out'. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  runStep(step: DocumentStep, index: number, attempt: number): Promise<StepResult>;
  report(report: StepReport): void;
}

/** State of a phase, which determines what runs next in it. */
interface Progress {
  exited: 'success' | 'failure' | null;
  failure: StepEnd | null;
  /** Whether cancellation or a timeout ended a step or prevented it from starting. */
  interrupted: boolean;
  ran: number;
  skippedByPlatform: number;
}

export async function runDocument(run: DocumentRun): Promise<DocumentResult> {
  const { phases } = run;
  const total = run.document.mainSteps.length;
  const [begins, ends] = [phases.preCheck, total - phases.verify];
  const before = await runPhase(run, [0, begins]);
  if (before === 'restart') return restart;
  const unfit = notBegun(before);
  const main = await runPhase(run, [begins, ends], unfit ?? nothingToDo(before));
  if (main === 'restart') return restart;
  const result = unfit === null ? conclude(run, main) : concludeAs('Pre-check Failed', run, before);
  const pointless = result.state === 'Success' ? null : NOT_DONE;
  const after = await runPhase(run, [ends, total], pointless);
  if (after === 'restart') return restart;
  if (result.state !== 'Success' || phases.verify === 0) return result;
  return isVerified(after) ? result : concludeAs('Verify Failed', run, after);
}

const NOT_DONE = 'the document did not succeed';
const restart: DocumentResult = { state: 'Restart', statusDetails: 'Failed', responseCode: 194 };

function notBegun({ failure, interrupted }: Progress): string | null {
  return failure !== null && !interrupted ? 'the pre-check failed' : null;
}

function nothingToDo({ exited }: Progress): string | null {
  return exited === 'success' ? 'the pre-check found nothing to do' : null;
}

/** A phase whose steps are all for other platforms has verified nothing. */
function isVerified({ failure, interrupted, ran }: Progress): boolean {
  return failure === null && !interrupted && ran > 0;
}

/** Runs the steps in a range; if a reason is given, skips them all. */
async function runPhase(
  run: DocumentRun,
  [from, to]: readonly [number, number],
  notAtAll: string | null = null,
): Promise<Progress | 'restart'> {
  const progress: Progress = {
    exited: null,
    failure: null,
    interrupted: false,
    ran: 0,
    skippedByPlatform: 0,
  };
  for (const [offset, step] of run.document.mainSteps.slice(from, to).entries()) {
    const index = from + offset;
    const known = run.ended[index];
    if (known) {
      countKnown(run, progress, step, known);
      continue;
    }
    const skipReason = index === run.takenUp ? null : whyNot(run, progress, step, notAtAll);
    if (skipReason !== null) {
      run.report(skipped(index, step, skipReason));
      continue;
    }
    const result = await runAttempts(run, step, index);
    if (result.state === 'Restart') return 'restart';
    progress.ran += 1;
    progress.interrupted ||= run.signal.aborted && result.state !== 'Success';
    settle(progress, step, { state: result.state, exitCode: result.exitCode });
  }
  return progress;
}

function countKnown(
  run: DocumentRun,
  progress: Progress,
  step: DocumentStep,
  known: StepEnd,
): void {
  if (known.state !== 'Skipped') {
    progress.ran += 1;
    settle(progress, step, known);
    return;
  }
  // The step may have been skipped because of earlier steps.
  const precondition = checkPrecondition(step, run.values, run.platformType);
  if (precondition.byPlatform && !precondition.holds) progress.skippedByPlatform += 1;
}

function whyNot(
  run: DocumentRun,
  progress: Progress,
  step: DocumentStep,
  notAtAll: string | null,
): string | null {
  if (notAtAll !== null) return notAtAll;
  if (run.signal.aborted) {
    progress.interrupted = true;
    return run.signal.reason === 'timed-out' ? 'the command timed out' : 'cancelled';
  }
  if (progress.exited && !step.finallyStep) return 'an earlier step ended the document';
  const precondition = checkPrecondition(step, run.values, run.platformType);
  if (precondition.holds) return null;
  if (precondition.byPlatform) progress.skippedByPlatform += 1;
  return precondition.byPlatform ? `not for ${run.platformType}` : 'its precondition is not met';
}

async function runAttempts(
  run: DocumentRun,
  step: DocumentStep,
  index: number,
): Promise<StepResult> {
  const startedAtMs = run.now();
  run.report({ index, step, state: 'InProgress', exitCode: null, startedAtMs, reason: null });
  let result = await run.runStep(step, index, 1);
  for (let attempt = 2; attempt <= (step.maxAttempts ?? 1); attempt += 1) {
    if (run.signal.aborted || (result.state !== 'Failed' && result.state !== 'TimedOut')) break;
    result = await run.runStep(step, index, attempt);
  }
  if (result.state !== 'Restart') {
    const { state, exitCode, reason } = result;
    run.report({ index, step, state, exitCode, startedAtMs, reason });
  }
  return result;
}

function settle(progress: Progress, step: DocumentStep, end: StepEnd): void {
  if (end.state === 'Success') {
    if (step.onSuccess === 'exit') progress.exited ??= 'success';
    return;
  }
  if (step.onFailure === 'successAndExit') {
    progress.exited ??= 'success';
    return;
  }
  progress.failure ??= end;
  if (step.onFailure === 'exit') progress.exited ??= 'failure';
}

function conclude(run: DocumentRun, progress: Progress): DocumentResult {
  if (progress.interrupted) {
    return run.signal.reason === 'timed-out'
      ? { state: 'TimedOut', statusDetails: 'Execution Timed Out', responseCode: -1 }
      : { state: 'Cancelled', statusDetails: 'Cancelled', responseCode: -1 };
  }
  const { failure } = progress;
  if (failure?.state === 'TimedOut') {
    return { state: 'TimedOut', statusDetails: 'Execution Timed Out', responseCode: -1 };
  }
  if (failure) return failed(failure.exitCode ?? -1);
  if (progress.ran === 0 && progress.skippedByPlatform > 0) {
    return { state: 'Failed', statusDetails: 'Invalid Platform', responseCode: -1 };
  }
  return { state: 'Success', statusDetails: 'Success', responseCode: 0 };
}

/**
 * The result when a phase around the document failed. Cancellation and timeouts are the same in all
 * phases.
 */
function concludeAs(
  statusDetails: 'Pre-check Failed' | 'Verify Failed',
  run: DocumentRun,
  progress: Progress,
): DocumentResult {
  if (progress.interrupted) return conclude(run, progress);
  return { state: 'Failed', statusDetails, responseCode: progress.failure?.exitCode ?? -1 };
}

const failed = (responseCode: number): DocumentResult => ({
  state: 'Failed',
  statusDetails: 'Failed',
  responseCode,
});

const skipped = (index: number, step: DocumentStep, reason: string): StepReport => ({
  index,
  step,
  state: 'Skipped',
  exitCode: null,
  startedAtMs: null,
  reason,
});
