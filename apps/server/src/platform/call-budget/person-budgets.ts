import { PersonBudget } from './person-budget.ts';

const MOST_KEPT = 10_000;

/** The budgets of the people who called last; a person who comes back after that many others starts anew. */
export class PersonBudgets {
  readonly #byPerson = new Map<string, PersonBudget>();

  of(userId: string): PersonBudget {
    const budget = this.#byPerson.get(userId) ?? new PersonBudget();
    // Set again, so that the order of the map is that of the last call.
    this.#byPerson.delete(userId);
    this.#byPerson.set(userId, budget);
    const [oldest] = this.#byPerson.keys();
    if (this.#byPerson.size > MOST_KEPT && oldest !== undefined) this.#byPerson.delete(oldest);
    return budget;
  }
}
