/** The reason in the facts of a 2000 whose call was not started, because the server time for it was used up. */
export const OVER_BUDGET = 'overBudget';

export interface OverBudgetFacts {
  readonly reason: typeof OVER_BUDGET;
  /** When making the call again makes sense. It is safe for a mutation, too. */
  readonly retryAfterMs: number;
}

/** How long to wait before the call is made again; undefined for every other error. */
export function retryAfterMsOf(facts: Readonly<Record<string, unknown>>): number | undefined {
  if (facts['reason'] !== OVER_BUDGET) return undefined;
  const waitMs = facts['retryAfterMs'];
  return typeof waitMs === 'number' && waitMs >= 0 ? waitMs : 0;
}
