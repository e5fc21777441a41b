import { findAppClient, type AppClient } from '../store/app-client-store.ts';
import type { Queryable } from '../store/in-transaction.ts';
import type { PoolUser } from '../store/user-store.ts';
import { notAuthorized, WireError } from '../wire/wire-error.ts';

/** @throws ResourceNotFoundException for an unknown app client */
export async function requireAppClient(db: Queryable, clientId: string): Promise<AppClient> {
  const client = await findAppClient(db, clientId);
  if (client === undefined) {
    throw new WireError(
      'ResourceNotFoundException',
      `User pool client ${clientId} does not exist.`,
    );
  }
  return client;
}

export function userDoesNotExist(): WireError {
  return new WireError('UserNotFoundException', 'User does not exist.');
}

/** @throws NotAuthorizedException for a disabled user */
export function requireEnabled(user: PoolUser): void {
  if (!user.enabled) throw userIsDisabled();
}

export function userIsDisabled(): WireError {
  return notAuthorized('User is disabled.');
}
