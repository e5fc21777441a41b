import type { AppClient } from './app-client-store.ts';
import type { AuthSession } from './auth-session-store.ts';
import type { CreatedChallenge, ChallengeSubject } from './run-triggers.ts';
import type { PoolContext } from './pool-context.ts';
import { guessedUser } from './guess-answer.ts';
import { PasskeyError } from '../../passkeys/passkey-error.ts';
import type { PasskeyCaller } from '../../passkeys/passkeys.ts';
import { askedFrom, type CallOrigin } from '../wire/call-origin.ts';
import { tooManyRequests } from '../wire/wire-error.ts';

/** `challengeMetadata` of a round that asks for a passkey after the code. */
const METADATA = 'PASSKEY';
const MOST_TRIES = 3;

/** Whether a session asks for a passkey, and not for a code. */
export function isPasskeyRound({ challengeMetadata }: AuthSession): boolean {
  return challengeMetadata === METADATA;
}

/**
 * Whether tokens require a passkey first: for users who have one, at the portal's own client. Other clients do not
 * know this challenge, and the portal does not accept their tokens.
 */
export async function isPasskeyNeeded(
  { passkeys, settings }: PoolContext,
  { user, client }: ChallengeSubject,
): Promise<boolean> {
  if (user === undefined || client.clientId !== settings.userPoolClientId) return false;
  return passkeys.isAvailable && passkeys.has(user.sub);
}

/** A custom challenge whose answer is the credential as JSON, or a recovery code. */
export async function createPasskeyChallenge(
  { passkeys }: PoolContext,
  ownerId: string,
  rounds: AuthSession['rounds'],
): Promise<CreatedChallenge> {
  const options = await passkeys.beginAssertion(ownerId, 'second-step');
  return {
    publicParameters: {
      type: METADATA,
      options: JSON.stringify(options),
      attemptsLeft: String(MOST_TRIES - countWrong(rounds)),
    },
    privateParameters: {},
    metadata: METADATA,
  };
}

/** Whether all tries of a sign-in are used. */
export function arePasskeyTriesUsed(rounds: AuthSession['rounds']): boolean {
  return countWrong(rounds) >= MOST_TRIES;
}

function countWrong(rounds: AuthSession['rounds']): number {
  return rounds.filter(
    ({ challengeMetadata, challengeResult }) => challengeMetadata === METADATA && !challengeResult,
  ).length;
}

/** @throws TooManyRequestsException after too many wrong recovery codes */
export async function isPasskeyAnswerRight(
  { passkeys }: PoolContext,
  caller: PasskeyCaller,
  answer: string,
): Promise<boolean> {
  try {
    const response = credentialIn(answer);
    if (response === undefined) await passkeys.useRecoveryCode(caller, answer);
    else await passkeys.finishAssertion(caller, 'second-step', response);
    return true;
  } catch (error) {
    if (!(error instanceof PasskeyError)) throw error;
    if (error.refusal === 'tooManyRequests') throw tooManyRequests(error.waitMs ?? 0);
    return false;
  }
}

export function passkeyCallerOf(
  { identifier }: Pick<ChallengeSubject, 'identifier'>,
  user: NonNullable<ChallengeSubject['user']>,
  origin: CallOrigin,
): PasskeyCaller {
  const { requestId } = origin;
  return { owner: guessedUser(user, identifier), requestId, ...askedFrom(origin) };
}

/** A credential is a JSON object; undefined for a recovery code. */
export function credentialIn(answer: string): unknown {
  if (!answer.startsWith('{')) return undefined;
  try {
    return JSON.parse(answer) as unknown;
  } catch {
    return {};
  }
}

/** `USER_AUTH` is offered only for passkeys, and only to the portal's own client. */
export function offersPasskeys(
  { passkeys, settings }: PoolContext,
  { clientId }: AppClient,
): boolean {
  return passkeys.isAvailable && clientId === settings.userPoolClientId;
}
