import type { DocumentStep } from '@deviceportal/contract/ssm-document';

/** A step in the diagram of a document. */
export interface FlowStep {
  readonly name: string;
  /** Both operands of the precondition. If they differ, the step is skipped. */
  readonly onlyIf: readonly [string, string] | null;
  /** Runs regardless of earlier failures. */
  readonly always: boolean;
  readonly exits: readonly FlowExit[];
}

/** An exit to a later step that always runs, or to the end. */
export interface FlowExit {
  readonly on: 'failure' | 'success';
  /** The result of the command at this exit. */
  readonly as: 'failure' | 'success';
  /** The index of the target step. Null for the end. */
  readonly to: number | null;
}

/** The flow of a document. Null for a linear sequence, for which the list is sufficient. */
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
