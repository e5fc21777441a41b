import {
  confirmSignIn,
  signIn,
  signOut,
  type ConfirmSignInOutput,
  type SignInOutput,
} from '@aws-amplify/auth';
import { readChallenge, type Challenge, type ChallengeContext } from '../challenge.ts';
import { passkeyNeededOf } from '../passkey-needed.ts';
import type { PortalSession } from '../session-keeper.ts';
import { SignInError } from '../sign-in-error.ts';
import { signInLibrary } from '../sign-in-library.ts';
import { cognitoSignInError } from './cognito-sign-in-error.ts';

const CUSTOM_CHALLENGE = 'CONFIRM_SIGN_IN_WITH_CUSTOM_CHALLENGE';

export interface CognitoAuthenticationOptions {
  /** Used if the pool does not return it. */
  readonly codeLength: number;
  readonly nowMs: () => number;
}

/** Starts the custom challenge: the pool sends a code to the user. */
export function startChallenge(
  options: CognitoAuthenticationOptions,
  identifier: string,
): Promise<Challenge> {
  return translated(async () => {
    const output = await signIn({
      username: identifier,
      options: { authFlowType: 'CUSTOM_WITHOUT_SRP' },
    });
    return challengeOf(output, options, { identifier });
  });
}

/** Sends another code in the same sign-in, or in a new one if that has ended. */
export async function resendChallenge(
  options: CognitoAuthenticationOptions,
  before: Challenge,
): Promise<Challenge> {
  try {
    return await translated(async () => {
      const output = await confirmSignIn({
        challengeResponse: 'resend',
        options: { clientMetadata: { resend: 'true' } },
      });
      return challengeOf(output, options, { identifier: before.identifier, before });
    });
  } catch (error) {
    const isOver = error instanceof SignInError && error.name === 'loginInvalidSession';
    if (isOver) return startChallenge(options, before.identifier);
    throw error;
  }
}

/**
 * Submits the code. A repeated challenge or a missing session means that the code was wrong (3001).
 */
export function answerChallenge(
  options: CognitoAuthenticationOptions & {
    readonly readSession: () => Promise<PortalSession | null>;
  },
  before: Challenge,
  code: string,
): Promise<PortalSession> {
  return translated(async () => {
    const output = await confirmSignIn({ challengeResponse: code });
    const session = output.isSignedIn ? await options.readSession() : null;
    if (session !== null) return session;
    throw new SignInError('invalidLoginCode', {
      ...(!output.isSignedIn && {
        challenge: challengeOf(output, options, { identifier: before.identifier, before }),
      }),
    });
  });
}

/** Answers a passkey challenge after the code. Rejects with PasskeyNeeded for another try, or 3002. */
export function answerPasskey(
  options: CognitoAuthenticationOptions & {
    readonly readSession: () => Promise<PortalSession | null>;
  },
  answer: string,
): Promise<PortalSession> {
  return translated(async () => {
    const output = await confirmSignIn({ challengeResponse: answer });
    const session = output.isSignedIn ? await options.readSession() : null;
    if (session !== null) return session;
    throw passkeyNeededOf(parametersOf(output)) ?? new SignInError('loginInvalidSession');
  });
}

/** In place of a username: the owner of the chosen passkey. */
export const ANYBODY = '*';

/** Signs in with a passkey in place of a code. Rejects with 3002 if its owner did not allow this. */
export function signInWithPasskey(
  readSession: () => Promise<PortalSession | null>,
): Promise<PortalSession> {
  return translated(async () => {
    const output = await signIn({
      username: ANYBODY,
      options: { authFlowType: 'USER_AUTH', preferredChallenge: 'WEB_AUTHN' },
    });
    const session = output.isSignedIn ? await readSession() : null;
    if (session === null) throw new SignInError('loginInvalidSession');
    return session;
  });
}

/** Revokes the refresh token. */
export async function endSession(): Promise<void> {
  await signInLibrary();
  await signOut();
}

/** Calls the configured library, whose errors become those of the sign-in. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  await signInLibrary();
  try {
    return await work();
  } catch (error) {
    throw cognitoSignInError(error);
  }
}

function parametersOf({
  nextStep,
}: SignInOutput | ConfirmSignInOutput): Record<string, string> | undefined {
  if (nextStep.signInStep !== CUSTOM_CHALLENGE) return undefined;
  return nextStep.additionalInfo as Record<string, string> | undefined;
}

function challengeOf(
  output: SignInOutput | ConfirmSignInOutput,
  { codeLength, nowMs }: CognitoAuthenticationOptions,
  context: Pick<ChallengeContext, 'identifier' | 'before'>,
): Challenge {
  const { nextStep } = output;
  if (nextStep.signInStep !== CUSTOM_CHALLENGE) {
    throw new SignInError('unknown', {
      cause: new Error(`Unsupported sign-in step of the pool: ${nextStep.signInStep}.`),
    });
  }
  const parameters = parametersOf(output);
  const passkey = passkeyNeededOf(parameters);
  if (passkey !== undefined) throw passkey;
  return readChallenge(parameters, { ...context, codeLength, nowMs: nowMs() });
}
