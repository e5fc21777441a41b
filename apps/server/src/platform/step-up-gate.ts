import type { StepUpPurpose } from '@deviceportal/contract/step-up';
import type { Viewer } from './viewer.ts';

/** Whether the session of a call has a fresh second step. */
export interface StepUpGate {
  /** @throws PortalError 1000 with the reason `step-up-required` */
  require(viewer: Viewer, purpose: StepUpPurpose): Promise<void>;
}

/** A step-up that only some calls of a procedure require, which its use case decides. */
export interface ConditionalStepUp {
  readonly purpose: StepUpPurpose;
  /** For the reference: the calls that require it. */
  readonly when: string;
}

/** The step-up of a procedure: for all of its calls, or for some. */
export type StepUpRule = StepUpPurpose | ConditionalStepUp;

/** The check that a call passes to its use case. */
export function stepUpCheck(
  gate: StepUpGate,
  { viewer, rule, path }: { viewer: Viewer; rule: StepUpRule | undefined; path: string },
): () => Promise<void> {
  return async () => {
    if (rule === undefined) throw new Error(`${path} does not declare its step-up`);
    await gate.require(viewer, typeof rule === 'string' ? rule : rule.purpose);
  };
}
