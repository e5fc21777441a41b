import { randomSecret } from '../../secrets/secret-hash.ts';
import { insertAuthSession, type AuthSession } from './auth-session-store.ts';
import type { PoolUser } from '../../accounts/pool-account-store.ts';
import type { ChallengeRound } from '../triggers/challenge-triggers.ts';
import { notAuthorized } from '../wire/wire-error.ts';
import { openSession, type AuthenticationResult } from './issue-tokens.ts';
import { arePasskeyTriesUsed, createPasskeyChallenge, isPasskeyNeeded } from './passkey-round.ts';
import type { PoolContext } from './pool-context.ts';
import {
  createChallenge,
  decide,
  type ChallengeSubject,
  type CreatedChallenge,
} from './run-triggers.ts';

export const SESSION_BYTES = 48;
/** `AuthSessionValidity` of a hosted pool: 3 min unless set otherwise. */
export const SESSION_VALIDITY_MS = 180_000;

/** The reply of InitiateAuth and RespondToAuthChallenge. */
export interface ChallengeReply {
  readonly ChallengeName?: string;
  readonly ChallengeParameters: Readonly<Record<string, string>>;
  readonly Session?: string;
  readonly AuthenticationResult?: AuthenticationResult;
}

export interface PassedRounds {
  readonly rounds: readonly ChallengeRound[];
  /** The session that was just answered. */
  readonly before: AuthSession | undefined;
}

/**
 * Continues after the given rounds: tokens, rejection, or the next challenge with a new Session.
 */
export async function continueSignIn(
  context: PoolContext,
  subject: ChallengeSubject,
  passed: PassedRounds,
): Promise<ChallengeReply> {
  const decision = await decide(context, subject, passed.rounds);
  if (decision.kind === 'fail') throw notAuthorized('Incorrect username or password.');
  if (decision.kind === 'ask') {
    const { challengeName } = decision;
    const session = passed.rounds;
    const challenge = await createChallenge(context, subject, { challengeName, session });
    return ask(context, subject, { ...passed, challengeName, challenge });
  }
  // No tokens for an unknown user, even if a trigger requests them; the response is as for an
  // incorrect code.
  if (subject.user === undefined) throw notAuthorized('Incorrect username or password.');
  if (await isPasskeyNeeded(context, subject)) {
    return askForPasskey(context, { ...subject, user: subject.user }, passed);
  }
  return complete(context, subject.user, subject);
}

/** Continues after an answer to a passkey challenge: tokens, or another try. */
export async function continueAfterPasskey(
  context: PoolContext,
  subject: ChallengeSubject & { readonly user: PoolUser },
  passed: PassedRounds & { readonly isRight: boolean },
): Promise<ChallengeReply> {
  if (passed.isRight) return complete(context, subject.user, subject);
  if (arePasskeyTriesUsed(passed.rounds)) throw notAuthorized('Incorrect username or password.');
  return askForPasskey(context, subject, passed);
}

async function complete(
  context: PoolContext,
  user: PoolUser,
  { client }: ChallengeSubject,
): Promise<ChallengeReply> {
  const result = await openSession(context, user, client.clientId);
  return { AuthenticationResult: result, ChallengeParameters: {} };
}

async function askForPasskey(
  context: PoolContext,
  subject: ChallengeSubject & { readonly user: PoolUser },
  passed: PassedRounds,
): Promise<ChallengeReply> {
  const challenge = await createPasskeyChallenge(context, subject.user.sub, passed.rounds);
  return ask(context, subject, { ...passed, challengeName: 'CUSTOM_CHALLENGE', challenge });
}

async function ask(
  context: PoolContext,
  subject: ChallengeSubject,
  passed: PassedRounds & { readonly challengeName: string; readonly challenge: CreatedChallenge },
): Promise<ChallengeReply> {
  const { challengeName, challenge, rounds, before } = passed;
  const session = randomSecret(SESSION_BYTES);
  const nowMs = context.clock.now();
  // Asking the same challenge again (the same metadata) does not prolong it; a new one has its full time.
  const isSame =
    challenge.metadata !== undefined && before?.challengeMetadata === challenge.metadata;
  await insertAuthSession(context.pool, {
    sessionHash: context.hash('auth-session', session),
    clientId: subject.client.clientId,
    sub: subject.user?.sub ?? null,
    username: subject.username,
    identifier: subject.identifier,
    challengeName,
    rounds,
    challengeMetadata: challenge.metadata ?? null,
    privateParameters: challenge.privateParameters,
    createdAt: new Date(nowMs),
    expiresAt: isSame ? before.expiresAt : new Date(nowMs + SESSION_VALIDITY_MS),
    usedAt: null,
  });
  return {
    ChallengeName: challengeName,
    ChallengeParameters: { ...challenge.publicParameters, USERNAME: shownUsername(subject) },
    Session: session,
  };
}

/** The username, also for an alias. If the pool hides users, the typed identifier for all. */
function shownUsername({ client, username, identifier }: ChallengeSubject): string {
  return client.userExistenceErrors === 'ENABLED' ? identifier : username;
}
