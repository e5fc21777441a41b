import type { StoredPurpose } from './code-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { CodeToSend } from './codes.ts';

/**
 * Determines how a requested code is delivered. The request is rejected if the code would be of no
 * use for the owner of this address or number. With hidden users, a decoy is used instead. A
 * registration with an existing account also gets a code, because only users who have verified the
 * address learn that the account exists.
 * @throws ProviderError userDoesNotExist, userNotAuthorized, userExists
 */
export async function chooseDelivery(
  { settings, users }: Pick<ProviderContext, 'settings' | 'users'>,
  purpose: StoredPurpose,
  [key, address]: readonly ['email' | 'phone', string],
): Promise<Pick<CodeToSend, 'isDecoy' | 'inBackground'>> {
  if (purpose !== 'login' && purpose !== 'reset-password' && purpose !== 'register') return {};
  const user = await users.findBy(key, address);
  const refusal = refusalOf(purpose, user);
  if (settings.hideUsers) {
    return { isDecoy: refusal !== undefined && purpose !== 'register', inBackground: true };
  }
  if (refusal !== undefined) throw new ProviderError(refusal);
  return {};
}

type Known = Awaited<ReturnType<ProviderContext['users']['findBy']>>;

function refusalOf(purpose: StoredPurpose, user: Known): Refusal | undefined {
  if (purpose === 'register') return user && refusals.userExists;
  if (user === undefined) return refusals.userDoesNotExist;
  const canSignIn = user.status === 'Activated' && !user.blocked;
  return canSignIn ? undefined : refusals.userNotAuthorized;
}
