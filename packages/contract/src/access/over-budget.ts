/**
 * The reason in the facts of a 2000 that was rejected before execution because the caller's budget
 * of server time was used up.
 */
export const OVER_BUDGET = 'overBudget';

export interface OverBudgetFacts {
  readonly reason: typeof OVER_BUDGET;
  /** When to retry the call. A retry is safe for mutations, too. */
  readonly retryAfterMs: number;
}

/** How long to wait before a retry; undefined for all other errors. */
export function retryAfterMsOf(facts: Readonly<Record<string, unknown>>): number | undefined {
  if (facts['reason'] !== OVER_BUDGET) return undefined;
  const waitMs = facts['retryAfterMs'];
  return typeof waitMs === 'number' && waitMs >= 0 ? waitMs : 0;
}
