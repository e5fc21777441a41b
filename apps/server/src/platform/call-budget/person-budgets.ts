import { PersonBudget } from './person-budget.ts';

const MOST_KEPT = 10_000;

/** Budgets of the most recent callers (LRU). An evicted user starts with a full budget. */
export class PersonBudgets {
  readonly #byPerson = new Map<string, PersonBudget>();

  of(userId: string): PersonBudget {
    const budget = this.#byPerson.get(userId) ?? new PersonBudget();
    // Insert again, so that the map is in the order of the last calls.
    this.#byPerson.delete(userId);
    this.#byPerson.set(userId, budget);
    const [oldest] = this.#byPerson.keys();
    if (this.#byPerson.size > MOST_KEPT && oldest !== undefined) this.#byPerson.delete(oldest);
    return budget;
  }
}
