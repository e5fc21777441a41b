import type { Guess, GuessedAccount } from '../accounts/account-guesses.ts';
import { accountName } from '../accounts/account-name.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';

/** A guess of a caller at an account, or at an unknown one. */
export function guessOf(
  user: ProviderUser | undefined,
  name: string,
  { address, requestId, userAgent, language }: Caller,
): Guess {
  const account = user && guessedPerson(user, language);
  return { account, name, address, requestId, userAgent };
}

/** A user with the contact for notifications. */
export function guessedPerson(user: ProviderUser, language: Caller['language']): GuessedAccount {
  const { id, email, emailVerified, phoneE164, phoneVerified, profile } = user;
  const contact =
    email !== null && emailVerified
      ? { channel: 'email' as const, to: email }
      : phoneE164 !== null && phoneVerified
        ? { channel: 'sms' as const, to: phoneE164 }
        : undefined;
  return {
    ...{ id, username: accountName(user), contact },
    locale: profile.locale ?? language,
    timeZone: profile.zoneinfo,
  };
}
