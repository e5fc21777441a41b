import type { Queryable } from '../database/in-transaction.ts';
import { listIdentities } from '../identities/identity-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser, UserChange } from '../accounts/provider-user.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { forgetClaims } from './forget-claims.ts';

export type AddressKind = 'email' | 'phone';

/**
 * The account of a proven address. A user who registered with an unverified address may not have
 * been its owner. If that user has another verified sign-in method, the account stays theirs, and
 * the address is removed from it and free for its owner.
 * @returns undefined if no account has the address, or no longer has it
 */
export async function findAccountOfAddress(
  { users }: Pick<ProviderContext, 'users'>,
  [kind, address]: readonly [AddressKind, string],
  db: Queryable,
): Promise<ProviderUser | undefined> {
  const user = await users.findBy(kind, address, db);
  if (user === undefined) return undefined;
  const { id, emailVerified, phoneVerified } = user;
  if (kind === 'email' ? emailVerified : phoneVerified) return user;
  const isOthers = emailVerified || phoneVerified || (await listIdentities(db, id)).length > 0;
  if (!isOthers) return user;
  const none = { phone: null, phoneCountryCode: null, phoneE164: null };
  await users.update(id, kind === 'email' ? { email: null } : none, db);
  return undefined;
}

/** The same for an address that was shown by its code. @throws ProviderError userDoesNotExist */
export async function accountOfAddress(
  context: Pick<ProviderContext, 'db' | 'users'>,
  address: readonly [AddressKind, string],
): Promise<ProviderUser> {
  const user = await findAccountOfAddress(context, address, context.db);
  if (user === undefined) throw new ProviderError(refusals.userDoesNotExist);
  return user;
}

/**
 * Changes of an account at the first proof of its address: passwords and second factors that
 * someone else may have set, and sessions with them, become invalid.
 */
export async function firstProof(
  { tokens, users }: Pick<ProviderContext, 'tokens' | 'users'>,
  user: ProviderUser,
  kind: AddressKind,
  db: Queryable,
): Promise<ProviderUser> {
  if (kind === 'email' ? user.emailVerified : user.phoneVerified) return user;
  await tokens.endSessionsOf(user.id, undefined, db);
  await forgetClaims(db, user.id);
  const change: UserChange = {
    ...(kind === 'email' ? { emailVerified: true } : { phoneVerified: true }),
    ...(user.passwordHash !== null && { passwordHash: null, passwordLevel: null }),
  };
  return users.update(user.id, change, db);
}
