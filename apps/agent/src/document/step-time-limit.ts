import type { StepContext } from './step-context.ts';

/**
 * The step's own timeout in addition to the command's, counted from the actual start of the step.
 */
export function stepTimeLimit(
  context: StepContext,
  limitMs: number,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const leftMs = Math.max(0, context.startedAtMs + limitMs - context.now());
  const timer = setTimeout(() => controller.abort('step-timed-out'), leftMs);
  const signal = AbortSignal.any([context.signal, controller.signal]);
  return { signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
