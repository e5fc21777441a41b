import { holdUntilCommit } from '../../platform/database/advisory-lock.ts';
import { inTransaction, type Database } from '../../platform/database/database.ts';
import type { SecretEngine } from '../../platform/secrets/secret-engine.ts';
import { personalKeysOf } from '../keys/personal-keys-of.ts';
import { eraseAgain } from './erase-again.ts';
import {
  emptyRegister,
  ERASURE_REGISTER_FILE,
  joinRegisters,
  parseRegister,
  registerText,
  sizeOf,
} from './erasure-register.ts';
import { readErasures } from './read-erasures.ts';

export interface RegisterDeps {
  readonly database: Database;
  readonly store: SecretEngine;
}

/**
 * Synchronizes database and register: people that only the register contains are erased in the database, and people
 * that only the database contains are added to the register. Runs after an erasure, at startup, and every hour.
 * @returns who had to be erased again
 */
export async function keepErasureRegister({
  database,
  store,
}: RegisterDeps): Promise<readonly string[]> {
  const { people, named } = await inTransaction(database, async (tx) => {
    await holdUntilCommit(tx, 'erasure-register');
    const kept = await store.read(ERASURE_REGISTER_FILE);
    const register =
      kept === undefined
        ? emptyRegister
        : parseRegister(kept, store.placeOf(ERASURE_REGISTER_FILE));
    const again = await eraseAgain(tx, register);
    const joined = joinRegisters(register, await readErasures(tx));
    if (kept === undefined || sizeOf(joined) > sizeOf(register)) {
      await store.replace(ERASURE_REGISTER_FILE, registerText(joined));
    }
    return { people: again.people, named: joined };
  });
  personalKeysOf(database.orm).drop([...named.users, ...named.customers].map(({ id }) => id));
  return people;
}
