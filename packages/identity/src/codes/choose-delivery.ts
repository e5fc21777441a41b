import type { StoredPurpose } from './code-store.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { CodeToSend } from './codes.ts';

/**
 * How a code goes out that a stranger asks for: refused where it could do nothing for whoever has this address or number;
 * where users are hidden, a decoy in its place. Who has an account and registers gets a code, too: the answer that there
 * is an account already is for those who have shown that the address is theirs.
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
  const isIn = user.status === 'Activated' && !user.blocked;
  return isIn ? undefined : refusals.userNotAuthorized;
}
