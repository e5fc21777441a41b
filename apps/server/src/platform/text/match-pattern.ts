import { createContext, Script } from 'node:vm';
import type { PatternMatcher } from '@deviceportal/contract/command-parameters';

/** Time limit for all patterns of one call. A normal pattern takes microseconds. */
const BUDGET_MS = 100;

/** CPU time of this thread in milliseconds. Wall time would include work of other processes. */
const computedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const MAX_TRIES = 5;

const script = new Script(
  "{ const expression = new RegExp(pattern, 'u'); texts.map((text) => expression.test(text)); }",
);
const sandbox: { pattern: string; texts: readonly string[] } = { pattern: '', texts: [] };
const context = createContext(sandbox);

/**
 * Matches user-defined patterns. Backtracking can take exponential time and blocks the event loop,
 * so matching is interrupted at a time limit; unfinished matches count as not matching. Use one
 * matcher per call, because its budget is used up once.
 */
export function createPatternMatcher(budgetMs = BUDGET_MS): PatternMatcher {
  let leftMs = budgetMs;
  return (pattern, texts) => {
    if (leftMs < 1) return texts.map(() => false);
    const startedMs = computedMs();
    const usedMs = (): number => computedMs() - startedMs;
    try {
      Object.assign(sandbox, { pattern, texts });
      for (let tries = 1; ; tries += 1) {
        try {
          return script.runInContext(context, { timeout: Math.ceil(leftMs) }) as boolean[];
        } catch (error) {
          // Retry when interrupted before the CPU time limit, so that a valid value is not rejected
          // on a busy machine.
          if (!isInterruption(error) || tries === MAX_TRIES || usedMs() > leftMs / 2) throw error;
        }
      }
    } catch {
      // Too slow, or too large for a regular expression.
      return texts.map(() => false);
    } finally {
      leftMs -= usedMs();
    }
  };
}

function isInterruption(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
