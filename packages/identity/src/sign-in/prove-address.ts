import type { Queryable } from '../database/in-transaction.ts';
import { listIdentities } from '../identities/identity-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser, UserChange } from '../accounts/provider-user.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { forgetClaims } from './forget-claims.ts';

export type AddressKind = 'email' | 'phone';

/**
 * Whose account it is to which somebody showed an address. Whoever registered with an address that they never proved may
 * not have been its owner. Where they have another way in that is proven, the account is theirs: the address leaves it,
 * and is free for its owner.
 * @returns undefined when nobody has the address, or nobody any more
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
 * What the first proof of its address changes on an account: the password and second steps that somebody else may have
 * chosen, and the sign-ins made with them, count no more.
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
