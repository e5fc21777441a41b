/**
 * Steps that a version declares in addition to its text, so that a successful run is a verified
 * run: steps before it (pre-check), after it (verify), and steps that undo it. SSM does not support
 * these (docs/design/decisions.md, section 2).
 */

import { z } from 'zod';
import { documentStepSchema, type DocumentStep, type SsmDocument } from './ssm-document.ts';

/** In display order. */
export const declaredPhases = ['preCheck', 'verify', 'undo'] as const;
export type DeclaredPhase = (typeof declaredPhases)[number];
/** `main`: the steps of the document's text. */
export type StepPhase = DeclaredPhase | 'main';

/** Maximum number of steps of a run, as in SSM. */
export const MAX_STEPS = 100;

const phaseSteps = z.array(documentStepSchema).min(1).max(MAX_STEPS).optional();

export const documentPhasesSchema = z.strictObject({
  preCheck: phaseSteps,
  verify: phaseSteps,
  undo: phaseSteps,
});
export type DocumentPhases = z.infer<typeof documentPhasesSchema>;

export interface PhasedStep {
  readonly phase: StepPhase;
  readonly step: DocumentStep;
}

/** All steps of a run in execution order. Their positions are used as step numbers everywhere. */
export function stepsOfRun(
  mainSteps: readonly DocumentStep[],
  phases: DocumentPhases,
  isUndo: boolean,
): PhasedStep[] {
  const of = (phase: StepPhase, steps: readonly DocumentStep[] = []): PhasedStep[] =>
    steps.map((step) => ({ phase, step }));
  if (isUndo) return of('undo', phases.undo);
  return [
    ...of('preCheck', phases.preCheck),
    ...of('main', mainSteps),
    ...of('verify', phases.verify),
  ];
}

/** Number of leading and trailing steps that are not part of the document's text. */
export interface PhaseCounts {
  readonly preCheck: number;
  readonly verify: number;
}

/**
 * The content sent to a device: one list of steps, so that an agent without support for phases also
 * runs all of them and succeeds only if the last ones do.
 */
export function contentOfRun(
  document: SsmDocument,
  phases: DocumentPhases,
  isUndo: boolean,
): { readonly content: SsmDocument; readonly counts: PhaseCounts } {
  const steps = stepsOfRun(document.mainSteps, phases, isUndo);
  const count = (wanted: StepPhase): number => steps.filter(({ phase }) => phase === wanted).length;
  return {
    content: { ...document, mainSteps: steps.map(({ step }) => step) },
    counts: { preCheck: count('preCheck'), verify: count('verify') },
  };
}

/** The phase of the step at a position. */
export function phaseAt(index: number, total: number, counts: PhaseCounts): StepPhase {
  if (index < counts.preCheck) return 'preCheck';
  return index >= total - counts.verify ? 'verify' : 'main';
}
