import { storeChallenge, type Challenge } from '../session/challenge.ts';
import { session } from '../session/session.ts';
import { tellTabs } from '../session/session-channel.ts';
import { SignInError } from '../session/sign-in-error.ts';
import type { PortalSession } from '../session/session-keeper.ts';
import { signInLayer, type AcceptedUser, type SignInLayer } from '../session/sign-in-layer.ts';
export type { AcceptedUser } from '../session/sign-in-layer.ts';
import { clearSession } from '../session/sign-out.ts';
import { storeSubject } from '../session/stored-subject.ts';
import { subjectOf } from '../session/subject-of.ts';

/** Sends a code. The challenge is stored for a reload. */
export async function sendCode(identifier: string): Promise<Challenge> {
  await clearSession();
  return kept(await signInLayer().startAuthentication(identifier));
}

export async function sendCodeAgain(challenge: Challenge): Promise<Challenge> {
  return kept(await signInLayer().resendCode(challenge));
}

/**
 * Signs in with the code, and notifies other tabs. A wrong code with remaining attempts stores the
 * next challenge.
 */
export async function answerCode(challenge: Challenge, code: string): Promise<void> {
  try {
    enter(await signInLayer().submitCode(challenge, code));
  } catch (error) {
    if (error instanceof SignInError && error.challenge !== undefined) kept(error.challenge);
    throw error;
  }
}

/** Signs in with a passkey in place of a code, and notifies other tabs. */
export async function signInWithPasskey(): Promise<void> {
  await clearSession();
  enter(await passkeys().signIn());
}

/** Waits until the user chooses a passkey in the field for the username. @returns signs in, and notifies other tabs */
export async function offerPasskeys(signal: AbortSignal): Promise<() => Promise<void>> {
  const signIn = await passkeys().offer(signal);
  return async () => {
    await clearSession();
    enter(await signIn());
  };
}

/** Completes a sign-in with a passkey or a recovery code, and notifies other tabs. */
export async function answerPasskey(answer: string): Promise<void> {
  enter(await passkeys().answer(answer));
}

function passkeys(): NonNullable<SignInLayer['passkeys']> {
  const { passkeys: found } = signInLayer();
  if (found === undefined) throw new Error('The provider supports no passkeys.');
  return found;
}

/**
 * Signs in a user whom the provider verified by another method than a code, and notifies other
 * tabs.
 */
export async function acceptUser(user: AcceptedUser): Promise<void> {
  const { acceptUser: accept } = signInLayer();
  if (accept === undefined) throw new Error('The provider supports only codes.');
  await clearSession();
  enter(await accept(user));
}

function enter({ idToken }: PortalSession): void {
  const subject = subjectOf(idToken);
  storeChallenge(null);
  storeSubject(subject);
  session.forget();
  tellTabs({ kind: 'signed-in', subject });
}

function kept(challenge: Challenge): Challenge {
  storeChallenge(challenge);
  return challenge;
}
