import { UserBudget } from './user-budget.ts';

const MOST_KEPT = 10_000;

/** Budgets of the most recent callers (LRU). An evicted user starts with a full budget. */
export class UserBudgets {
  readonly #byUser = new Map<string, UserBudget>();

  of(userId: string): UserBudget {
    const budget = this.#byUser.get(userId) ?? new UserBudget();
    // Insert again, so that the map is in the order of the last calls.
    this.#byUser.delete(userId);
    this.#byUser.set(userId, budget);
    const [oldest] = this.#byUser.keys();
    if (this.#byUser.size > MOST_KEPT && oldest !== undefined) this.#byUser.delete(oldest);
    return budget;
  }
}
