import { LRUCache } from 'lru-cache';
import { UserBudget } from './user-budget.ts';

const MOST_KEPT = 10_000;

/** Budgets of the most recent callers. An evicted user starts with a full budget. */
export class UserBudgets {
  readonly #byUser = new LRUCache<string, UserBudget>({ max: MOST_KEPT });

  of(userId: string): UserBudget {
    const known = this.#byUser.get(userId);
    if (known) return known;
    const budget = new UserBudget();
    this.#byUser.set(userId, budget);
    return budget;
  }
}
