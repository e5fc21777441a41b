import type { DocumentStep } from '@deviceportal/contract/ssm-document';

/** One step in the picture of a document's flow. */
export interface FlowStep {
  readonly name: string;
  /** Both sides of its precondition: else it is skipped. */
  readonly onlyIf: readonly [string, string] | null;
  /** Runs whatever happened before. */
  readonly always: boolean;
  readonly exits: readonly FlowExit[];
}

/** A way out of the order: to a later step that always runs, or to the end. */
export interface FlowExit {
  readonly on: 'failure' | 'success';
  /** How the command ends then. */
  readonly as: 'failure' | 'success';
  /** Index of the step it leads to; null is the end. */
  readonly to: number | null;
}

/** Null where steps only follow one another: the list says it all. */
export function flowModel(steps: readonly DocumentStep[]): readonly FlowStep[] | null {
  const branches = steps.some(
    (step) =>
      step.precondition !== undefined ||
      step.onFailure !== undefined ||
      step.onSuccess !== undefined ||
      step.finallyStep === true,
  );
  if (!branches) return null;
  return steps.map((step, index) => {
    const later = steps.findIndex((other, at) => at > index && other.finallyStep === true);
    const to = later === -1 ? null : later;
    return {
      name: step.name,
      onlyIf: step.precondition?.StringEquals ?? null,
      always: step.finallyStep === true,
      exits: exitsOf(step).map((exit) => ({ ...exit, to })),
    };
  });
}

function exitsOf(step: DocumentStep): Omit<FlowExit, 'to'>[] {
  const exits: Omit<FlowExit, 'to'>[] = [];
  if (step.onFailure === 'exit') exits.push({ on: 'failure', as: 'failure' });
  if (step.onFailure === 'successAndExit') exits.push({ on: 'failure', as: 'success' });
  if (step.onSuccess === 'exit') exits.push({ on: 'success', as: 'success' });
  return exits;
}
