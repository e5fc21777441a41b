import type { AirBlastDetail, AirBlastStep } from '@deviceportal/contract/air-blast';

/** In order. Repeated here because importing the contract’s list would load its schemas. */
export const stepOrder: readonly AirBlastStep[] = [
  'plan',
  'preflight',
  'canary',
  'blast',
  'verify',
];

/**
 * The position of a stage: `current` is in progress, has failed, or is waiting to be started;
 * `unreached` if the rollout has ended before it.
 */
export type StepMark = 'done' | 'current' | 'stopped' | 'next' | 'later' | 'unreached';

/** The mark of each stage of a rollout. */
export function stepMarks({
  step,
  stepState,
  endedAt,
}: Pick<AirBlastDetail, 'step' | 'stepState' | 'endedAt'>): Readonly<
  Record<AirBlastStep, StepMark>
> {
  const reached = stepOrder.indexOf(step);
  const isDone = stepState === 'done';
  const current = endedAt !== null ? stepOrder.length : isDone ? reached + 1 : reached;
  const markOf = (position: number): StepMark => {
    if (endedAt !== null && position > reached) return 'unreached';
    if (endedAt !== null && position === reached && !isDone) return 'stopped';
    if (position < current) return 'done';
    if (position === current) return 'current';
    return position === current + 1 ? 'next' : 'later';
  };
  return Object.fromEntries(stepOrder.map((one, at) => [one, markOf(at)])) as Record<
    AirBlastStep,
    StepMark
  >;
}
