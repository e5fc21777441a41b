import { inTransaction, type Database } from '../../platform/database/database.ts';
import { findSealedNames } from '../data/erasure-queries.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import { namesOf } from './erased-person.ts';

/**
 * Names of users who are being erased: rows that the erasure has not visited yet still contain them. Answers of the API
 * contain the pseudonym instead.
 */
export class ErasingNames {
  readonly #database: Pick<Database, 'orm'>;
  #pseudonyms: ReadonlyMap<string, string> = new Map();
  #started = 0;
  #applied = 0;

  constructor(database: Pick<Database, 'orm'>) {
    this.#database = database;
  }

  /** Reads them again: when an erasure begins on any server, and regularly, in case its notification was lost. */
  async refresh(): Promise<void> {
    this.#started += 1;
    const turn = this.#started;
    const found = await this.#read();
    // One that began earlier and ends later has not seen the newest erasure.
    if (turn < this.#applied) return;
    this.#applied = turn;
    this.#pseudonyms = found;
  }

  #read(): Promise<ReadonlyMap<string, string>> {
    return inTransaction(this.#database, async (tx) => {
      const found = await findSealedNames(tx);
      return new Map(
        found.flatMap(({ userId, ...erasure }) =>
          userId === null
            ? []
            : namesOf(tx, erasure).user.map((name) => [name, pseudonymOf(userId)] as const),
        ),
      );
    });
  }

  /** The value with pseudonyms; the same object while no erasure is in progress. */
  hide(value: unknown): unknown {
    return this.#pseudonyms.size === 0 ? value : this.#replace(value);
  }

  #replace(value: unknown): unknown {
    if (typeof value === 'string') return this.#pseudonyms.get(value) ?? value;
    if (Array.isArray(value)) return value.map((each) => this.#replace(each));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.#replace(each)]),
    );
  }
}

/** Dates and other objects with a class have no names in them. */
function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
