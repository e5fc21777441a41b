import { newId } from '@deviceportal/contract/ids';
import { eraseAccount } from '@deviceportal/identity/erase-account';
import {
  eraseUserRow,
  findFormerNames,
  findSharedNames,
  type UserToErase,
} from '../../access/data/erase-user-queries.ts';
import { findSomeDevicesOf } from '../../devices/data/release-devices.ts';
import { refreshDeviceCopies } from '../../devices/data/refresh-device-copies.ts';
import { erasePersonRow, type PersonToErase } from '../../people/data/erase-person-queries.ts';
import { holdUntilCommit } from '../../platform/database/advisory-lock.ts';
import { clientOf, type Transaction } from '../../platform/database/database.ts';
import { eraseWords } from '../../search/data/erase-words.ts';
import { eraseRecentItems } from '../../session/data/erase-recent-items.ts';
import { insertErasure } from '../data/erasure-queries.ts';
import { destroyKeys } from '../data/person-key-queries.ts';
import { personalKeysOf } from '../keys/personal-keys-of.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import type { PersonNames } from './erased-person.ts';
import type { WholePerson } from './find-person.ts';

export interface BegunErasure {
  readonly id: string;
  /** Owners of destroyed keys, which all processes drop from their caches after the commit. */
  readonly people: readonly string[];
  /** Number of destroyed keys. */
  readonly keys: number;
}

/**
 * Begins the erasure of a user and the linked customers, in a short transaction: destroys the keys, deletes the account
 * with its sign-ins, and overwrites the person's own rows, by which the person is found and named. The other rows are
 * erased in batches afterwards.
 */
export async function beginErasure(tx: Transaction, person: WholePerson): Promise<BegunErasure> {
  const user = person.user?.erasedAt === null ? person.user : undefined;
  const customers = person.customers.filter(({ erasedAt }) => erasedAt === null);
  const ofUser = user === undefined ? [] : await namesOfUser(tx, user);
  const owners = await ownersOfNames(tx, { user, customers }, ofUser);
  const names: PersonNames = {
    user: ofUser,
    contacts: filled(customers.flatMap(({ email, phone }) => [email, phone])),
    words: filled(customers.flatMap((each) => [each.name, each.username, each.email])).join(' '),
  };
  const own = [...(user === undefined ? [] : [user.id]), ...customers.map((each) => each.id)];
  const destroyed = await destroyKeys(tx, [...own, ...owners]);
  if (user !== undefined) await eraseOwnUser(tx, user, names.user);
  for (const customer of customers) await eraseOwnCustomer(tx, customer);
  await eraseWords(tx, names.words);
  const id = newId();
  await insertErasure(tx, {
    ...{ id, userId: user?.id ?? null, personIds: customers.map((each) => each.id) },
    sealedNames: personalKeysOf(tx).sealNames(id, JSON.stringify(names)),
  });
  return { id, keys: destroyed.length, people: [...own, ...owners] };
}

/** All names by which rows can refer to this user and to no other. */
async function namesOfUser(tx: Transaction, user: UserToErase): Promise<string[]> {
  const { id, username, name, email, phone } = user;
  const own = filled([username, name, email, phone]);
  const names = [...new Set([...own, ...(await findFormerNames(tx, id))])];
  const shared = new Set(await findSharedNames(tx, id, names));
  return names.filter((each) => !shared.has(each));
}

const filled = (texts: readonly (string | null)[]): string[] =>
  texts.filter((text): text is string => text !== null && text !== '');

async function eraseOwnUser(
  tx: Transaction,
  { id, subject }: UserToErase,
  names: readonly string[],
): Promise<void> {
  // API calls are recorded outside the transactions of their requests; wait for them.
  await holdUntilCommit(tx, 'user-erasure');
  await eraseAccount(clientOf(tx), subject, names);
  await eraseUserRow(tx, id, pseudonymOf(id));
}

/** Devices of a customer that are no longer found by the name from the beginning; more follow in batches. */
const DEVICES_AT_ONCE = 200;

async function eraseOwnCustomer(tx: Transaction, { id }: PersonToErase): Promise<void> {
  await erasePersonRow(tx, id, pseudonymOf(id));
  const some = { after: null, limit: DEVICES_AT_ONCE };
  await refreshDeviceCopies(tx, await findSomeDevicesOf(tx, [id], some));
  await eraseRecentItems(tx, { kind: 'person', itemId: id });
}

/**
 * Owners of keys for the person's names in records without a user ID, such as a rejected sign-in before the first
 * invitation. Names that another user has, too, are excluded.
 */
async function ownersOfNames(
  tx: Transaction,
  { user, customers }: WholePerson,
  ofUser: readonly string[],
): Promise<string[]> {
  const own = filled(customers.flatMap(({ username, email, phone }) => [username, email, phone]));
  const shared = new Set(await findSharedNames(tx, user?.id ?? null, own));
  const names = new Set([...ofUser, ...own.filter((name) => !shared.has(name))]);
  return personalKeysOf(tx).peopleNamed(tx, [...names]);
}
