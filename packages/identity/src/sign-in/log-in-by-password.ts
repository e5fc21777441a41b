import { keepCustomValues } from '../custom-values/change-custom-values.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { createAccount } from '../registration/register-user.ts';
import type { ProviderUser, UserChange } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';
import type { SignedIn } from './sign-ins.ts';

export interface PasswordLogin {
  readonly found: ProviderUser | undefined;
  /** The typed identifier, for limits and records. */
  readonly account: string;
  /** As the client sent it. */
  readonly sent: string;
  readonly customData?: readonly CustomValue[];
  /** Makes this account where there is none. */
  readonly register?: UserChange | undefined;
}

/**
 * @throws ProviderError wrongPassword, userIsBlocked, tooManyRequests, and what a registration refuses with
 */
export async function logInByPassword(
  context: ProviderContext,
  { found, account, sent, customData = [], register }: PasswordLogin,
  caller: Caller,
): Promise<SignedIn & { readonly newlyCreated: boolean }> {
  const { settings, signIns } = context;
  const step = { method: 'password' };
  // With hidden users, a typed name cannot be registered, because it would reveal that it was free.
  if (found === undefined && register !== undefined && !settings.hideUsers) {
    const user = await createAccount(
      context,
      { user: register, password: sent, customData },
      caller,
    );
    return { ...(await signIns.complete(user, caller, step)), newlyCreated: true };
  }
  const user = await signIns.checkPassword(found, { account, sent }, caller);
  const signedIn = await signIns.complete(user, caller, {
    ...step,
    prepare: (client) => keepCustomValues(context, client, { user, caller }, customData),
  });
  return { ...signedIn, newlyCreated: false };
}
