import { holdUntilCommit } from '../../platform/database/advisory-lock.ts';
import { inTransaction, type Database } from '../../platform/database/database.ts';
import type { InstallationSecrets } from '../../platform/installation-secrets.ts';
import type { SecretEngine } from '../../platform/secrets/secret-engine.ts';
import type { SigningKeyRing } from '../../platform/secrets/signing-key-ring.ts';
import { personalKeysOf } from '../keys/personal-keys-of.ts';
import { beginErasure } from '../erase/begin-erasure.ts';
import { eraseAgain } from './erase-again.ts';
import { emptyRegister, ERASURE_REGISTER_FILE, joinRegisters, sizeOf } from './erasure-register.ts';
import { readErasures } from './read-erasures.ts';
import { parseRegister, signRegister, type SignedRegister } from './signed-register.ts';

export interface RegisterDeps {
  readonly database: Database;
  readonly secrets: Pick<InstallationSecrets, 'store' | 'signingKeys'>;
}

/**
 * Synchronizes database and register: the erasure of people that only the register contains begins again, and people
 * that only the database contains are added to the register. Runs after an erasure, at startup, and every hour. Before
 * the first erasure there is no register.
 *
 * @returns IDs of the people who were erased again
 * @throws StartError if the file is not a register of this installation
 */
export async function keepErasureRegister({
  database,
  secrets,
}: RegisterDeps): Promise<readonly string[]> {
  const { store } = secrets;
  const ring = secrets.signingKeys('audit');
  const { people, named } = await inTransaction(database, async (tx) => {
    await holdUntilCommit(tx, 'erasure-register');
    const kept = await readKept(store, ring);
    const register = kept?.register ?? emptyRegister;
    const again = await eraseAgain(tx, register, beginErasure);
    const joined = joinRegisters(register, await readErasures(tx));
    // Sign again after a key rotation, because the previous key can be revoked later.
    const isCurrent = kept === undefined || kept.signedBy === ring.current.keyId;
    if (sizeOf(joined) > sizeOf(register) || !isCurrent) {
      await store.replace(ERASURE_REGISTER_FILE, await signRegister(joined, ring));
    }
    return { people: again.people, named: joined };
  });
  personalKeysOf(database.orm).drop([...named.users, ...named.customers].map(({ id }) => id));
  return people;
}

async function readKept(
  store: SecretEngine,
  ring: SigningKeyRing & { refresh(): Promise<void> },
): Promise<SignedRegister | undefined> {
  const content = await store.read(ERASURE_REGISTER_FILE);
  if (content === undefined) return undefined;
  const kept = parseRegister(content, store.placeOf(ERASURE_REGISTER_FILE));
  // Another server may have rotated the key.
  await ring.refresh();
  kept.requireTrusted(({ keyId }) => ring.known.some((key) => key.keyId === keyId));
  return kept;
}
