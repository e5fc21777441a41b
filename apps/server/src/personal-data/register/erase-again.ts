import { findUsersToErase } from '../../access/data/erase-user-queries.ts';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { findPeopleToErase } from '../../people/data/erase-person-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { destroyKeys, destroyKeysById } from '../data/person-key-queries.ts';
import { eraseWhole } from '../erase/erase-whole.ts';
import type { ErasureRegister } from './erasure-register.ts';

export interface ErasedAgain {
  /** Users and customers of the register who were in the database and have been erased now. */
  readonly people: readonly string[];
  readonly keys: number;
}

/**
 * Erases the people of a register that the database still or again contains, as after the restore of an older backup.
 * People who do not exist in it get no key later. Records an audit event if anything was erased.
 */
export async function eraseAgain(
  tx: Transaction,
  { users, customers, keys }: ErasureRegister,
): Promise<ErasedAgain> {
  const usersAgain = await findUsersToErase(tx, users.map(idOf));
  const customersAgain = await findPeopleToErase(tx, customers.map(idOf));
  for (const user of usersAgain) await eraseWhole(tx, { user, customers: [] });
  for (const customer of customersAgain)
    await eraseWhole(tx, { user: undefined, customers: [customer] });
  await destroyKeys(tx, [...users, ...customers].map(idOf));
  const people = [...usersAgain, ...customersAgain].map(idOf);
  const destroyed = await destroyKeysById(tx, keys.map(idOf));
  if (people.length > 0 || destroyed > 0) {
    await recordAudit(tx, [
      {
        type: 'people.erased-again',
        actor: systemActor,
        data: { people: people.slice(0, NAMED), count: people.length, keys: destroyed },
      },
    ]);
  }
  return { people, keys: destroyed };
}

const idOf = ({ id }: { readonly id: string }): string => id;

/** So many ids fit an event. */
const NAMED = 1_000;
