import { findAppClient, type AppClient } from './app-client-store.ts';
import type { Queryable } from '../../database/in-transaction.ts';
import type { PoolUser } from '../../accounts/pool-account-store.ts';
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

/**
 * The user, if permitted to sign in. If the client hides users, a user who is not permitted is
 * treated as unknown.
 * @returns undefined for an unknown user, only if the client hides users
 * @throws UserNotFoundException, NotAuthorizedException, UserNotConfirmedException or
 * PasswordResetRequiredException
 */
export function admit(
  client: Pick<AppClient, 'userExistenceErrors'>,
  user: PoolUser | undefined,
): PoolUser | undefined {
  const refusal = user === undefined ? userDoesNotExist() : refusalOf(user);
  if (refusal === undefined) return user;
  if (client.userExistenceErrors === 'LEGACY') throw refusal;
  return undefined;
}

function refusalOf(user: PoolUser): WireError | undefined {
  if (!user.enabled) return userIsDisabled();
  if (user.status === 'UNCONFIRMED') {
    return new WireError('UserNotConfirmedException', 'User is not confirmed.');
  }
  if (user.status === 'RESET_REQUIRED') {
    return new WireError('PasswordResetRequiredException', 'Password reset required for the user');
  }
  return undefined;
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
