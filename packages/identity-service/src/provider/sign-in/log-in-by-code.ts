import { setCustomValues } from '../custom-values/custom-value-store.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { inTransaction } from '../../store/in-transaction.ts';
import type { CodePurpose } from '../../messenger.ts';
import type { ProviderContext } from '../provider-context.ts';
import type { ProviderUser, UserChange } from '../users/provider-user.ts';
import type { Caller } from '../wire/caller.ts';
import { ProviderError } from '../wire/provider-error.ts';
import { refusals } from '../wire/refusals.ts';
import type { SignedIn } from './sign-ins.ts';

export interface CodeLogin {
  /** Where the code was sent: an e-mail address, or a number in E.164 form. */
  readonly to: { readonly email: string } | { readonly phoneE164: string };
  readonly code: string;
  readonly customData: readonly CustomValue[];
}

const purposes = ['login', 'verify-email'] as const satisfies readonly CodePurpose[];

/**
 * Signs in with a code that was sent to the person; it proves the address too.
 * @throws ProviderError wrongCode, codeExpired, codeTriesUsed, userDoesNotExist, userIsBlocked
 */
export async function logInByCode(
  context: ProviderContext,
  { to, code, customData }: CodeLogin,
  caller: Caller,
): Promise<SignedIn> {
  const { db, codes, users, signIns } = context;
  const isEmail = 'email' in to;
  const recipient = isEmail ? to.email : to.phoneE164;
  const checked = await codes.check({ to: recipient, purposes, code }, caller);
  const found = await users.findBy(isEmail ? 'email' : 'phone', recipient);
  if (found === undefined) throw new ProviderError(refusals.userDoesNotExist);
  const user = await inTransaction(db, async (client) => {
    await codes.spend(checked, client);
    const target = { type: 'USER', id: found.id };
    await setCustomValues(client, target, customData, new Date(context.clock.now()));
    if (isEmail ? found.emailVerified : found.phoneVerified) return found;
    await context.tokens.endSessionsOf(found.id, undefined, client);
    return users.update(found.id, firstProof(found, isEmail), client);
  });
  return signIns.complete(user, caller, { method: isEmail ? 'email-code' : 'phone-code' });
}

/**
 * Whoever registered with an address that they never proved may not have been its owner: once the owner comes, the
 * password that the other chose, and their sign-ins, count no more.
 */
function firstProof({ passwordHash }: ProviderUser, isEmail: boolean): UserChange {
  return {
    ...(isEmail ? { emailVerified: true } : { phoneVerified: true }),
    ...(passwordHash !== null && { passwordHash: null, passwordLevel: null }),
  };
}
