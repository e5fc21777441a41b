import { keepCustomValues } from '../custom-values/change-custom-values.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { CodePurpose } from '../messenger.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { accountOfAddress, firstProof } from './prove-address.ts';
import type { SignedIn } from './sign-ins.ts';

export interface CodeLogin {
  /** Recipient of the code: an email address, or a number in E.164 format. */
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
  const { db, codes, signIns } = context;
  const address =
    'email' in to ? (['email', to.email] as const) : (['phone', to.phoneE164] as const);
  const [kind, recipient] = address;
  const checked = await codes.check({ to: recipient, purposes, code }, caller);
  const found = await accountOfAddress(context, address);
  const user = await inTransaction(db, async (client) => {
    await codes.spend(checked, client);
    await keepCustomValues(context, client, { user: found, caller }, customData);
    return firstProof(context, found, kind, client);
  });
  return signIns.complete(user, caller, { method: `${kind}-code` });
}
