import { createContext, Script } from 'node:vm';
import type { PatternMatcher } from '@deviceportal/contract/command-parameters';

/** So long all patterns of one call may take together; an honest one takes microseconds. */
const BUDGET_MS = 100;

/** Milliseconds this thread has computed. The time on the wall also passes while a busy machine computes for others. */
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
 * Matches patterns that people wrote. Backtracking can take for ever and nothing else runs meanwhile, so it is
 * interrupted: what has no answer in time does not match. One matcher for one call: its budget is used up once.
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
          // Interrupted without having had its time: an honest value must not be refused because others compute.
          if (!isInterruption(error) || tries === MAX_TRIES || usedMs() > leftMs / 2) throw error;
        }
      }
    } catch {
      // Too slow, or larger than an expression can be.
      return texts.map(() => false);
    } finally {
      leftMs -= usedMs();
    }
  };
}

function isInterruption(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
