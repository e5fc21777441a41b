/**
 * What a version declares beside its text so that its success means verified: steps that look before it (pre-check),
 * steps that look after it (verify) and steps that take it back (undo). SSM knows none of them
 * (docs/design/decisions.md, section 2).
 */

import { z } from 'zod';
import { documentStepSchema, type DocumentStep, type SsmDocument } from './ssm-document.ts';

/** In the order in which they stand on screens. */
export const declaredPhases = ['preCheck', 'verify', 'undo'] as const;
export type DeclaredPhase = (typeof declaredPhases)[number];
/** `main`: the steps of the text itself. */
export type StepPhase = DeclaredPhase | 'main';

/** All steps of one run: as many as SSM lets a document have. */
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

/** The steps of one run in the order in which they run: their positions number them everywhere. */
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

/** How many steps at the beginning and at the end of what is sent are not the document's own. */
export interface PhaseCounts {
  readonly preCheck: number;
  readonly verify: number;
}

/**
 * What is sent to a device: one list of steps, so that an agent which knows nothing of phases runs them all, too, and
 * succeeds only where the last of them does.
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
