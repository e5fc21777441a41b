import { UserBudget } from './person-budget.ts';

const MOST_KEPT = 10_000;

/** Budgets of the most recent callers (LRU). An evicted user starts with a full budget. */
export class UserBudgets {
  readonly #byPerson = new Map<string, UserBudget>();

  of(userId: string): UserBudget {
    const budget = this.#byPerson.get(userId) ?? new UserBudget();
    // Insert again, so that the map is in the order of the last calls.
    this.#byPerson.delete(userId);
    this.#byPerson.set(userId, budget);
    const [oldest] = this.#byPerson.keys();
    if (this.#byPerson.size > MOST_KEPT && oldest !== undefined) this.#byPerson.delete(oldest);
    return budget;
  }
}
