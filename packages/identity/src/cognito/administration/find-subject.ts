import type { Queryable } from '../../database/in-transaction.ts';
import {
  findUserByIdentifier,
  findUserBySub,
  type PoolUser,
} from '../../accounts/pool-account-store.ts';
import { parseIdentifier } from '../user-pool/identifier.ts';
import { WireError } from '../wire/wire-error.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The user for `Username`: a username, an alias, or a `sub`.
 * @throws UserNotFoundException
 */
export async function findSubject(db: Queryable, username: string): Promise<PoolUser> {
  const named = await findUserByIdentifier(db, parseIdentifier(username));
  const user = named ?? (UUID.test(username) ? await findUserBySub(db, username) : undefined);
  if (user === undefined) throw userDoesNotExist();
  return user;
}

export function userDoesNotExist(): WireError {
  return new WireError('UserNotFoundException', 'User does not exist.');
}
