import type { Account } from 'oidc-provider';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { claimsOf, type AccountClaims } from './account-claims.ts';
import { findRolesOf } from '../roles/held-roles.ts';

type AccountContext = Pick<ProviderContext, 'db' | 'users'>;

/** A user who can sign in; undefined for a locked or deleted one, whose tokens are invalid. */
export async function findActiveUser(
  { users }: Pick<ProviderContext, 'users'>,
  userId: string,
): Promise<ProviderUser | undefined> {
  const user = await users.find(userId);
  return user === undefined || user.blocked || user.status !== 'Activated' ? undefined : user;
}

/** The account of this `sub` for oidc-provider, which selects the claims by the scopes. */
export async function findAccount(
  context: AccountContext,
  sub: string,
): Promise<Account | undefined> {
  const user = await findActiveUser(context, sub);
  return user && { accountId: user.id, claims: () => readClaims(context, user) };
}

export async function readClaims(
  { db }: Pick<ProviderContext, 'db'>,
  user: ProviderUser,
): Promise<AccountClaims> {
  return claimsOf(user, await findRolesOf(db, user.id));
}
