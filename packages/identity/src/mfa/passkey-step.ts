import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { PasskeyError } from '../passkeys/passkey-error.ts';
import type { PasskeyCaller } from '../passkeys/passkeys.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { guessedPerson } from '../sign-in/guess-of.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { attempt, requireOffered, type MfaCaller } from './mfa-caller.ts';
import { mfaRefusals } from './mfa-refusals.ts';

/** Options for the browser. @throws ProviderError methodNotOffered */
export function beginPasskeyStep(
  { passkeys }: Pick<ProviderContext, 'passkeys'>,
  caller: MfaCaller,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  requireOffered(caller, 'PASSKEY');
  return inProviderWords(() => passkeys.beginAssertion(caller.user.id, 'second-step'));
}

/**
 * Checks a passkey as a second step; wrong ones count against the person.
 * @param credential as the browser returned it
 * @throws ProviderError methodNotOffered, wrongPasskey, tooManyRequests, userIsBlocked
 */
export async function provePasskey(
  context: ProviderContext,
  caller: MfaCaller,
  credential: unknown,
): Promise<void> {
  requireOffered(caller, 'PASSKEY');
  const { passkeys } = context;
  await attempt(context, caller, () =>
    inProviderWords(() =>
      passkeys.finishAssertion(passkeyCallerOf(caller, caller.user), 'second-step', credential),
    ),
  );
}

/**
 * Uses up a recovery code of the passkeys; wrong ones count as incorrect codes of the account.
 * @throws ProviderError methodNotOffered, wrongRecoveryCode, tooManyRequests
 */
export async function provePasskeyRecoveryCode(
  context: ProviderContext,
  caller: MfaCaller,
  code: string,
): Promise<void> {
  requireOffered(caller, 'PASSKEY');
  const { user } = caller;
  await inProviderWords(() =>
    context.passkeys.useRecoveryCode(passkeyCallerOf(caller, user), code),
  );
}

/** @throws ProviderError for what the passkeys reject */
export async function inProviderWords<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PasskeyError)) throw error;
    const { refusal, waitMs } = error;
    if (refusal === 'tooManyRequests') {
      throw new ProviderError(refusals.tooManyRequests, { waitMs });
    }
    const isCode = refusal === 'wrongRecoveryCode';
    throw new ProviderError(isCode ? mfaRefusals.wrongRecoveryCode : mfaRefusals.wrongPasskey);
  }
}

function passkeyCallerOf(
  { address, language, requestId, userAgent }: Caller,
  user: ProviderUser,
): PasskeyCaller {
  return { owner: guessedPerson(user, language), address, requestId, userAgent };
}
