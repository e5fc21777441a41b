import { findUsersToErase } from '../../access/data/erase-user-queries.ts';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import { findPeopleToErase } from '../../people/data/erase-person-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { destroyKeys, destroyKeysById } from '../data/person-key-queries.ts';
import type { WholePerson } from '../erase/find-person.ts';
import type { ErasureRegister } from './erasure-register.ts';

export interface ErasedAgain {
  /** IDs of the users and customers who were erased. */
  readonly people: readonly string[];
  readonly keys: number;
}

/**
 * Erases people of the register who exist in the database, for example after the restore of an older backup. Also
 * prevents keys from being created later for those who do not exist in it. Records an audit event if anything was
 * erased.
 * @param erase at least begins the erasure
 */
export async function eraseAgain(
  tx: Transaction,
  { users, customers, keys }: ErasureRegister,
  erase: (tx: Transaction, person: WholePerson) => Promise<unknown>,
): Promise<ErasedAgain> {
  const usersAgain = await findUsersToErase(tx, users.map(idOf));
  const customersAgain = await findPeopleToErase(tx, customers.map(idOf));
  for (const user of usersAgain) await erase(tx, { user, customers: [] });
  for (const customer of customersAgain)
    await erase(tx, { user: undefined, customers: [customer] });
  await destroyKeys(tx, [...users, ...customers].map(idOf));
  const people = [...usersAgain, ...customersAgain].map(idOf);
  const destroyed = await destroyKeysById(tx, keys.map(idOf));
  if (people.length > 0 || destroyed > 0) {
    await recordAudit(tx, [
      {
        type: 'people.erased-again',
        actor: systemActor,
        data: { people: people.slice(0, MAX_IDS), count: people.length, keys: destroyed },
      },
    ]);
  }
  return { people, keys: destroyed };
}

const idOf = ({ id }: { readonly id: string }): string => id;

/** Maximum number of IDs in one event. */
const MAX_IDS = 1_000;
