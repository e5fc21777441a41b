import { findSharedNames } from '../../access/data/erase-user-queries.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { personalKeysOf } from '../keys/personal-keys-of.ts';
import { eraseCustomer } from './erase-customer.ts';
import { eraseUser, namedUser, type ErasureCounts } from './erase-user.ts';
import type { WholePerson } from './find-person.ts';

export interface WholeErasure extends ErasureCounts {
  /** Owners of destroyed keys, which all processes drop from their caches after the commit. */
  readonly people: readonly string[];
  readonly reportFiles: readonly string[];
}

/** Erases a user and the linked customers. */
export async function eraseWhole(
  tx: Transaction,
  { user, customers }: WholePerson,
): Promise<WholeErasure> {
  const named = await peopleNamed(tx, { user, customers });
  let [changed, deleted, keys] = [0, 0, 0];
  const reportFiles: string[] = [];
  const add = (counts: ErasureCounts): void => {
    changed += counts.changed;
    deleted += counts.deleted;
    keys += counts.keys;
  };
  for (const customer of customers.filter(({ erasedAt }) => erasedAt === null)) {
    const done = await eraseCustomer(tx, customer, named);
    add(done);
    reportFiles.push(...done.reportFiles);
  }
  if (user?.erasedAt === null) add(await eraseUser(tx, user, named));
  const ids = [user?.id, ...customers.map(({ id }) => id)].filter((id) => id !== undefined);
  return { changed, deleted, keys, reportFiles, people: [...ids, ...named] };
}

/**
 * Owners of keys for the person's names in records without a user ID, such as a rejected sign-in before the first
 * invitation. Names that another user has, too, are excluded.
 */
async function peopleNamed(tx: Transaction, { user, customers }: WholePerson): Promise<string[]> {
  const ofUser = user === undefined ? [] : (await namedUser(tx, user)).names;
  const ofCustomers = customers.flatMap(({ username, email, phone }) => [username, email, phone]);
  const own = ofCustomers.filter((name) => name !== null && name !== '') as string[];
  const shared = new Set(await findSharedNames(tx, user?.id ?? null, own));
  const names = new Set([...ofUser, ...own.filter((name) => !shared.has(name))]);
  return personalKeysOf(tx).peopleNamed(tx, [...names]);
}
