import { PortalError } from '@deviceportal/contract/errors';
import type { PersonReference } from '@deviceportal/contract/personal-data';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import {
  findUserToErase,
  lockUserToErase,
  type UserToErase,
} from '../../access/data/erase-user-queries.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import {
  findPeopleOfUser,
  findPersonToErase,
  holdPersonToErase,
  type PersonToErase,
} from '../../people/data/erase-person-queries.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** A person with all their records: a user, linked customers, or both. */
export interface WholePerson {
  readonly user: UserToErase | undefined;
  readonly customers: readonly PersonToErase[];
}

/**
 * Requires the permission for all devices: with a limited scope, a user sees only a part of a person.
 * @throws PortalError 1000
 */
export function requireWholeReach({ grants }: Viewer, permission: Permission): void {
  if (scopesOf(grants, [permission]).some(isEverywhere)) return;
  throw refuse('scope-is-limited', { facts: { permission } });
}

/** @throws PortalError 2003 */
export function findWholePerson(on: Executor, person: PersonReference): Promise<WholePerson> {
  return readWhole(person, {
    user: (id) => findUserToErase(on, id),
    customer: (id) => findPersonToErase(on, id),
    customersOf: (id) => findPeopleOfUser(on, id),
  });
}

/** Also locks the rows until the transaction ends. @throws PortalError 2003 */
export function holdWholePerson(tx: Transaction, person: PersonReference): Promise<WholePerson> {
  return readWhole(person, {
    user: (id) => lockUserToErase(tx, id),
    customer: (id) => holdPersonToErase(tx, id),
    customersOf: (id) => findPeopleOfUser(tx, id),
  });
}

async function readWhole(
  { kind, id }: PersonReference,
  read: {
    readonly user: (id: string) => Promise<UserToErase | undefined>;
    readonly customer: (id: string) => Promise<PersonToErase | undefined>;
    readonly customersOf: (id: string) => Promise<readonly string[]>;
  },
): Promise<WholePerson> {
  const named = kind === 'customer' ? await read.customer(id) : undefined;
  const userId = kind === 'user' ? id : named?.userId;
  const user = userId == null ? undefined : await read.user(userId);
  if (kind === 'user' ? user === undefined : named === undefined)
    throw new PortalError('notFound', { facts: { id } });
  const others = user === undefined ? [] : await read.customersOf(user.id);
  const customers = named === undefined ? [] : [named];
  for (const other of others.filter((each) => each !== named?.id)) {
    const found = await read.customer(other);
    if (found !== undefined) customers.push(found);
  }
  return { user, customers };
}

/** The username to type as confirmation. */
export function usernameOf({ user, customers }: WholePerson, { kind }: PersonReference): string {
  return (kind === 'user' ? user?.username : customers[0]?.username) ?? '';
}

export const isErased = ({ user, customers }: WholePerson, { kind }: PersonReference): boolean =>
  (kind === 'user' ? user?.erasedAt : customers[0]?.erasedAt) != null;

/** The IDs by which a legal hold is found. */
export const idsOf = ({ user, customers }: WholePerson) => ({
  userId: user?.id ?? null,
  customerIds: customers.map(({ id }) => id),
});

/** Only the IDs of the erased people. */
export const referencesOf = ({ user, customers }: WholePerson) => ({
  ...(user && { userId: user.id }),
  ...(customers.length > 0 && { personIds: customers.map(({ id }) => id) }),
});
