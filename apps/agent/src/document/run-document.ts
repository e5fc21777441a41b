/**
 * The interpreter of Command documents, schema 2.2. As on SSM: a failed step does not keep the next ones
 * from running, unless it says `onFailure: exit` (the command fails) or `successAndExit` (it succeeds);
 * `onSuccess: exit` ends the command well; a `finallyStep` runs in any case but cancellation and time-out;
 * a step whose precondition does not hold is skipped. The command fails when any step failed.
 */

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
    | 'Invalid Platform';
  readonly responseCode: number;
}

export interface DocumentRun {
  readonly document: SsmDocument;
  readonly values: BoundParameters;
  readonly platformType: PlatformType;
  /** Steps that ended before the agent was restarted. */
  readonly ended: Readonly<Record<number, StepEnd>>;
  /** Aborted with the reason 'cancelled' or 'timed-out'. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  runStep(step: DocumentStep, index: number, attempt: number): Promise<StepResult>;
  report(report: StepReport): void;
}

/** Where a run stands: the state that decides what follows. */
interface Progress {
  exited: 'success' | 'failure' | null;
  failure: StepEnd | null;
  /** Cancellation or the end of time kept a step from ending by itself, or from beginning. */
  interrupted: boolean;
  ran: number;
  skippedByPlatform: number;
}

export async function runDocument(run: DocumentRun): Promise<DocumentResult> {
  const progress: Progress = {
    exited: null,
    failure: null,
    interrupted: false,
    ran: 0,
    skippedByPlatform: 0,
  };
  for (const [index, step] of run.document.mainSteps.entries()) {
    const known = run.ended[index];
    if (known) {
      countKnown(run, progress, step, known);
      continue;
    }
    const skipReason = whyNot(run, progress, step);
    if (skipReason !== null) {
      run.report(skipped(index, step, skipReason));
      continue;
    }
    const result = await runAttempts(run, step, index);
    if (result.state === 'Restart') return { ...failed(194), state: 'Restart' };
    progress.ran += 1;
    progress.interrupted ||= run.signal.aborted && result.state !== 'Success';
    settle(progress, step, { state: result.state, exitCode: result.exitCode });
  }
  return conclude(run, progress);
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
  } else if (checkPrecondition(step, run.values, run.platformType).byPlatform) {
    progress.skippedByPlatform += 1;
  }
}

function whyNot(run: DocumentRun, progress: Progress, step: DocumentStep): string | null {
  if (run.signal.aborted) {
    progress.interrupted = true;
    return run.signal.reason === 'timed-out' ? 'the command ran out of time' : 'cancelled';
  }
  if (progress.exited && !step.finallyStep) return 'an earlier step ended the document';
  const precondition = checkPrecondition(step, run.values, run.platformType);
  if (precondition.holds) return null;
  if (precondition.byPlatform) progress.skippedByPlatform += 1;
  return precondition.byPlatform ? `not for ${run.platformType}` : 'its precondition does not hold';
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
