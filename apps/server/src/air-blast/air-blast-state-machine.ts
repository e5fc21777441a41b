import { airBlastSteps, type AirBlastStep } from '@deviceportal/contract/air-blast';
import type { AirBlastState, AirBlastStepState } from '@deviceportal/contract/states';

/** Where a run is: which step, how that goes, and what the state was before somebody paused it. */
export interface Progress {
  readonly state: AirBlastState;
  readonly step: AirBlastStep;
  readonly stepState: AirBlastStepState;
  readonly pausedFrom: AirBlastState | null;
  readonly needsApproval: boolean;
  /** The approval comes before the canaries instead of after them. */
  readonly approvalFirst: boolean;
  readonly approved: boolean;
}

export type ApprovalRule = Pick<Progress, 'needsApproval' | 'approvalFirst'>;

export type AirBlastEvent =
  | { readonly kind: 'start'; readonly step: Exclude<AirBlastStep, 'plan'> }
  | { readonly kind: 'finish' }
  /** `voids`: what would happen is not what was approved any more. */
  | { readonly kind: 'fail'; readonly voids: boolean }
  | { readonly kind: 'approve' }
  | { readonly kind: 'reject' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'retry' }
  /** Leaves the failed devices out; `hasRest` while others have not got the change yet. */
  | { readonly kind: 'leave-out'; readonly hasRest: boolean }
  | ({ readonly kind: 'edit' } & ApprovalRule);

/** Why an event changes nothing. */
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

/** The state while a step runs and until the one after it starts. */
const stateOf: Readonly<Record<AirBlastStep, AirBlastState>> = {
  plan: 'planned',
  preflight: 'preflight',
  canary: 'canary',
  blast: 'blasting',
  verify: 'verifying',
};

const refuse = (refusal: Refusal): Outcome => ({ refusal });
const place = (step: AirBlastStep): number => airBlastSteps.indexOf(step);

/** A plan that has just been made, or made anew. */
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

/** Whether a step changes devices only after a second person has approved the plan. */
export const stepNeedsApproval = (
  { needsApproval, approvalFirst }: ApprovalRule,
  step: AirBlastStep,
): boolean => needsApproval && place(step) >= place(approvalFirst ? 'canary' : 'blast');

export const hasEnded = ({ state }: Pick<Progress, 'state'>): boolean =>
  state === 'done' || state === 'aborted';

/** The step that a person may start now; null while one runs, somebody else is needed, or nothing is left. */
export function nextStepOf(progress: Progress): Exclude<AirBlastStep, 'plan'> | null {
  const next = airBlastSteps[place(progress.step) + 1];
  if (next === undefined || next === 'plan') return null;
  return 'next' in decide(progress, { kind: 'start', step: next }) ? next : null;
}

/** The one table of what may follow what. Pure: asked before every change, and by the screens' buttons. */
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
  // First of all: a step that was done is done, whatever came after.
  if (place(step) <= place(progress.step)) {
    const failedNow = step === progress.step && progress.stepState === 'failed';
    return refuse(failedNow ? 'failed' : 'already-done');
  }
  if (hasEnded(progress)) return refuse('ended');
  if (progress.stepState === 'failed') return refuse('failed');
  if (state === 'failed') return refuse('failed');
  if (state === 'paused') return refuse('paused');
  if (place(step) !== place(progress.step) + 1) return refuse('out-of-order');
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

/** What is under way ends, also while the run is paused: then the state it will go back to is the later one. */
function finish(progress: Progress): Outcome {
  if (progress.stepState !== 'running') return refuse('not-now');
  const state = afterStep(progress);
  const stepState = 'done';
  if (progress.state !== 'paused' || state === 'done') {
    return { next: { ...progress, state, stepState, pausedFrom: null } };
  }
  return { next: { ...progress, pausedFrom: state, stepState } };
}

/** A run waits for its approval where the step that follows needs it. */
function afterStep(progress: Progress): AirBlastState {
  const { step } = progress;
  if (step === 'verify') return 'done';
  const next = airBlastSteps[place(step) + 1] ?? step;
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

/** The failed devices of a canary, a blast or a verification again; a plan that was turned down is edited instead. */
function retry(progress: Progress): Outcome {
  const { state, step, stepState } = progress;
  if (state !== 'failed' || stepState !== 'failed') return refuse('not-now');
  if (lacksApproval(progress, step)) return refuse('needs-approval');
  return { next: { ...progress, state: stateOf[step], stepState: 'running' } };
}

/**
 * Goes on without the devices that failed. While others wait for the change the set is another one: it is approved
 * anew, and the blast is started anew for them.
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

/** Makes a new target set, so everything after the plan is to be done again. Too late once the blast has begun. */
function edit(progress: Progress, rule: ApprovalRule): Outcome {
  if (progress.stepState === 'running') return refuse('running');
  if (place(progress.step) >= place('blast')) return refuse('not-now');
  return { next: planned(rule) };
}
