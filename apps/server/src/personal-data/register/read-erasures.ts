import { findErasedUsers } from '../../access/data/erase-user-queries.ts';
import { findErasedPeople } from '../../people/data/erase-person-queries.ts';
import type { Executor } from '../../platform/database/database.ts';
import { findDestroyedKeys } from '../data/person-key-queries.ts';
import type { ErasureRegister } from './erasure-register.ts';

/** The register according to the database. */
export async function readErasures(on: Executor): Promise<ErasureRegister> {
  const entryOf = ({ id, at }: { readonly id: string; readonly at: Date | null }) => ({
    id,
    at: (at ?? new Date(0)).toISOString(),
  });
  const keys = await findDestroyedKeys(on);
  return {
    users: (await findErasedUsers(on)).map(entryOf),
    customers: (await findErasedPeople(on)).map(entryOf),
    keys: keys.map(({ id, fingerprint, destroyedAt }) => ({
      ...entryOf({ id, at: destroyedAt }),
      fingerprint,
    })),
  };
}
