import { airBlastSteps, type AirBlastStep } from '@deviceportal/contract/air-blast';
import type { AirBlastState, AirBlastStepState } from '@deviceportal/contract/states';

/** Progress of a rollout: its step, the state of the step, and the state before a pause. */
export interface Progress {
  readonly state: AirBlastState;
  readonly step: AirBlastStep;
  readonly stepState: AirBlastStepState;
  readonly pausedFrom: AirBlastState | null;
  readonly needsApproval: boolean;
  /** Whether approval is required before the canary stage instead of after it. */
  readonly approvalFirst: boolean;
  readonly approved: boolean;
}

export type ApprovalRule = Pick<Progress, 'needsApproval' | 'approvalFirst'>;

export type AirBlastEvent =
  | { readonly kind: 'start'; readonly step: Exclude<AirBlastStep, 'plan'> }
  | { readonly kind: 'finish' }
  /** `voids`: the change is no longer what was approved. */
  | { readonly kind: 'fail'; readonly voids: boolean }
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'retry' }
  /** Excludes the failed devices. `hasRest`: other devices have not received the change. */
  | { readonly kind: 'leave-out'; readonly hasRest: boolean }
  | ({ readonly kind: 'edit' } & ApprovalRule);

/** Why an event is rejected. */
export type Refusal =
  | 'already-done'
  | 'out-of-order'
  | 'failed'
  | 'ended'
  | 'paused'
  | 'needs-approval'
  | 'running'
  | 'not-now';

export type Outcome = { readonly next: Progress } | { readonly refusal: Refusal };

/** The state from the start of a step until the next step starts. */
const stateOf: Readonly<Record<AirBlastStep, AirBlastState>> = {
  plan: 'planned',
  preflight: 'preflight',
  canary: 'canary',
  blast: 'blasting',
  verify: 'verifying',
};

const refuse = (refusal: Refusal): Outcome => ({ refusal });
const positionOf = (step: AirBlastStep): number => airBlastSteps.indexOf(step);

/** Progress of a new or edited plan. */
export function planned({ needsApproval, approvalFirst }: ApprovalRule): Progress {
  return {
    state: 'planned',
    step: 'plan',
    stepState: 'done',
    pausedFrom: null,
    needsApproval,
    approvalFirst,
    approved: false,
  };
}

/** Whether a step requires that a second person has approved the plan. */
export const stepNeedsApproval = (
  { needsApproval, approvalFirst }: ApprovalRule,
  step: AirBlastStep,
): boolean => needsApproval && positionOf(step) >= positionOf(approvalFirst ? 'canary' : 'blast');

export const hasEnded = ({ state }: Pick<Progress, 'state'>): boolean =>
  state === 'done' || state === 'aborted';

/** The step that a user can start now; null while a step runs, without a required approval, or after the last step. */
export function nextStepOf(progress: Progress): Exclude<AirBlastStep, 'plan'> | null {
  const next = airBlastSteps[positionOf(progress.step) + 1];
  if (next === undefined || next === 'plan') return null;
  return 'next' in decide(progress, { kind: 'start', step: next }) ? next : null;
}

/** Decides every transition, without I/O. Also used for the actions that the portal offers. */
export function decide(progress: Progress, event: AirBlastEvent): Outcome {
  if (event.kind === 'start') return start(progress, event.step);
  if (hasEnded(progress)) return refuse('ended');
  switch (event.kind) {
    case 'finish':
      return finish(progress);
    case 'fail':
      return fail(progress, event.voids);
    case 'approve':
    case 'reject':
      return review(progress, event.kind);
    case 'pause':
      return pause(progress);
    case 'resume':
      return progress.state === 'paused' && progress.pausedFrom !== null
        ? { next: { ...progress, state: progress.pausedFrom, pausedFrom: null } }
        : refuse('not-now');
    case 'abort':
      return abort(progress);
    case 'retry':
      return retry(progress);
    case 'leave-out':
      return leaveOut(progress, event.hasRest);
    case 'edit':
      return edit(progress, event);
  }
}

function start(progress: Progress, step: Exclude<AirBlastStep, 'plan'>): Outcome {
  const { state } = progress;
  // Checked first: a step that was done stays done in every later state.
  if (positionOf(step) <= positionOf(progress.step)) {
    const failedNow = step === progress.step && progress.stepState === 'failed';
    return refuse(failedNow ? 'failed' : 'already-done');
  }
  if (hasEnded(progress)) return refuse('ended');
  if (progress.stepState === 'failed') return refuse('failed');
  if (state === 'failed') return refuse('failed');
  if (state === 'paused') return refuse('paused');
  if (positionOf(step) !== positionOf(progress.step) + 1) return refuse('out-of-order');
  if (progress.stepState === 'running') return refuse('running');
  if (lacksApproval(progress, step)) return refuse('needs-approval');
  return { next: { ...progress, state: stateOf[step], step, stepState: 'running' } };
}

const lacksApproval = (progress: Progress, step: AirBlastStep): boolean =>
  stepNeedsApproval(progress, step) && !progress.approved;

function fail(progress: Progress, voids: boolean): Outcome {
  if (progress.stepState !== 'running') return refuse('not-now');
  const approved = progress.approved && !voids;
  return {
    next: { ...progress, state: 'failed', stepState: 'failed', pausedFrom: null, approved },
  };
}

/** A step can finish while the rollout is paused. Resuming then leads to the state after the step. */
function finish(progress: Progress): Outcome {
  if (progress.stepState !== 'running') return refuse('not-now');
  const state = afterStep(progress);
  const stepState = 'done';
  if (progress.state !== 'paused' || state === 'done') {
    return { next: { ...progress, state, stepState, pausedFrom: null } };
  }
  return { next: { ...progress, pausedFrom: state, stepState } };
}

/** Waiting for approval if the next step requires it. */
function afterStep(progress: Progress): AirBlastState {
  const { step } = progress;
  if (step === 'verify') return 'done';
  const next = airBlastSteps[positionOf(step) + 1] ?? step;
  return lacksApproval(progress, next) ? 'approval' : stateOf[step];
}

function review(progress: Progress, kind: 'approve' | 'reject'): Outcome {
  if (progress.state !== 'approval') return refuse('not-now');
  return kind === 'approve'
    ? { next: { ...progress, state: stateOf[progress.step], approved: true } }
    : { next: { ...progress, state: 'failed', approved: false } };
}

function pause(progress: Progress): Outcome {
  if (progress.state === 'paused') return refuse('paused');
  if (progress.state === 'failed') return refuse('failed');
  return { next: { ...progress, state: 'paused', pausedFrom: progress.state } };
}

function abort(progress: Progress): Outcome {
  const stepState = progress.stepState === 'running' ? 'aborted' : progress.stepState;
  return { next: { ...progress, state: 'aborted', stepState, pausedFrom: null } };
}

/** Retries a failed step. A rejected plan can be edited instead. */
function retry(progress: Progress): Outcome {
  const { state, step, stepState } = progress;
  if (state !== 'failed' || stepState !== 'failed') return refuse('not-now');
  if (lacksApproval(progress, step)) return refuse('needs-approval');
  return { next: { ...progress, state: stateOf[step], stepState: 'running' } };
}

/**
 * Continues without the failed devices. If other devices have not received the change, the target set is a new one: it
 * is approved again, and the rollout stage starts again for them.
 */
function leaveOut(progress: Progress, hasRest: boolean): Outcome {
  const { state, step, stepState, needsApproval } = progress;
  if (state !== 'failed' || stepState !== 'failed') return refuse('not-now');
  if (step === 'plan' || step === 'preflight') return refuse('not-now');
  if (step === 'canary' || (step === 'blast' && hasRest)) {
    const back = { ...progress, step: 'canary' as const, stepState: 'done' as const };
    return { next: { ...back, state: needsApproval ? 'approval' : 'canary', approved: false } };
  }
  return {
    next: { ...progress, state: step === 'verify' ? 'done' : 'blasting', stepState: 'done' },
  };
}

/** Creates a new target set, so all later steps start again. Not possible once the rollout stage has started. */
function edit(progress: Progress, rule: ApprovalRule): Outcome {
  if (progress.stepState === 'running') return refuse('running');
  if (positionOf(progress.step) >= positionOf('blast')) return refuse('not-now');
  return { next: planned(rule) };
}
