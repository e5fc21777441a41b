import {
  confirmSignIn,
  signIn,
  type ConfirmSignInOutput,
  type SignInOutput,
} from '@aws-amplify/auth';
import { PortalError } from '@deviceportal/contract/errors';
import { readChallenge, storeChallenge, type Challenge } from './challenge.ts';
import { clearSession } from './sign-out.ts';
import { session } from './session.ts';
import { toSignInError } from './sign-in-error.ts';

const CUSTOM_CHALLENGE = 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE';

/** Starts the custom challenge: the pool sends a code to whom the identifier names. */
export async function sendCode(identifier: string, codeLength: number): Promise<Challenge> {
  try {
    // A session that is left over (expired, of someone else) would be refused as "already signed in".
    await clearSession();
    const output = await signIn({
      username: identifier,
      options: { authFlowType: 'CUSTOM_WITHOUT_SRP' },
    });
    return keep(output, identifier, codeLength);
  } catch (error) {
    throw toSignInError(error);
  }
}

/** Asks for a new code within the same sign-in; the older one is void then. */
export async function sendCodeAgain(challenge: Challenge): Promise<Challenge> {
  try {
    const output = await confirmSignIn({
      challengeResponse: 'resend',
      options: { clientMetadata: { resend: 'true' } },
    });
    return keep(output, challenge.identifier, challenge.codeLength);
  } catch (error) {
    const signInError = toSignInError(error);
    const isOver = signInError instanceof PortalError && signInError.code === 3003;
    if (isOver) return sendCode(challenge.identifier, challenge.codeLength);
    throw signInError;
  }
}

export type CodeAnswer =
  | { readonly done: true }
  /** The code was wrong (3001): the pool asks again. */
  | { readonly done: false; readonly challenge: Challenge };

/** Answers the challenge: signed in, or asked again because the code was wrong. */
export async function answerCode(challenge: Challenge, code: string): Promise<CodeAnswer> {
  try {
    const output = await confirmSignIn({ challengeResponse: code });
    if (output.isSignedIn) {
      storeChallenge(null);
      session.forget();
      return { done: true };
    }
    return { done: false, challenge: keep(output, challenge.identifier, challenge.codeLength) };
  } catch (error) {
    throw toSignInError(error);
  }
}

function keep(
  { nextStep }: SignInOutput | ConfirmSignInOutput,
  identifier: string,
  codeLength: number,
): Challenge {
  if (nextStep.signInStep !== CUSTOM_CHALLENGE) {
    throw new PortalError('unknown', { detail: `The pool asks for ${nextStep.signInStep}.` });
  }
  const challenge = readChallenge(nextStep.additionalInfo as Record<string, string> | undefined, {
    identifier,
    codeLength,
    nowMs: Date.now(),
  });
  storeChallenge(challenge);
  return challenge;
}
