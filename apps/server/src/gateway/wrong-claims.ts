import { createHmac } from 'node:crypto';
import { countWrongClaim } from '../devices/data/enrollment/wrong-claim-queries.ts';
import type { Database } from '../platform/database/database.ts';
import { keysOf, type KeySource } from '../platform/secrets/derived-keys.ts';

/** Rejected enrollments of one subscriber within the window, before 429. */
const MAX_WRONG_CLAIMS = 20;
export const WRONG_CLAIMS_WINDOW_SECONDS = 600;

/** Counts rejected enrollments by subscriber (`addressBucket`), for all servers of the database. */
export class WrongClaims {
  readonly #database: Pick<Database, 'orm'>;
  readonly #keys: KeySource;

  /** @param keys with which addresses are hashed */
  constructor(database: Pick<Database, 'orm'>, keys: KeySource) {
    this.#database = database;
    this.#keys = keys;
  }

  /** @returns false if the subscriber has no attempts left */
  count(subscriber: string): Promise<boolean> {
    const { current } = keysOf(this.#keys);
    const hash = createHmac('sha256', current).update(subscriber).digest('base64url');
    return countWrongClaim(this.#database.orm, hash, {
      most: MAX_WRONG_CLAIMS,
      windowSeconds: WRONG_CLAIMS_WINDOW_SECONDS,
    });
  }
}
