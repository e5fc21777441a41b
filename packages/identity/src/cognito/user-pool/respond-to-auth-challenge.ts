import { randomUUID } from 'node:crypto';
import { consumeAuthSession, findAuthSession, type AuthSession } from './auth-session-store.ts';
import type { AppClient } from './app-client-store.ts';
import { findUserByIdentifier, findUserBySub } from '../../accounts/pool-account-store.ts';
import { askedFrom, type CallOrigin } from '../wire/call-origin.ts';
import type { RespondToAuthChallengeInput } from '../wire/user-pool-shapes.ts';
import { invalidParameter, notAuthorized, tooManyRequests } from '../wire/wire-error.ts';
import { continueAfterPasskey, continueSignIn, type ChallengeReply } from './challenge-round.ts';
import { requireSecretHash } from './client-secret.ts';
import { admit, requireAppClient } from './find-sign-in-user.ts';
import { guessAnswer, isResend } from './guess-answer.ts';
import { parseIdentifier } from './identifier.ts';
import {
  isPasskeyAnswerRight,
  isPasskeyRound,
  offersPasskeys,
  passkeyCallerOf,
} from './passkey-round.ts';
import { answerPasskeySignIn, WEB_AUTHN } from './passkey-sign-in.ts';
import type { PoolContext } from './pool-context.ts';
import { ADDRESS_RULES } from '../../limits/rate-limits.ts';
import { makeFamiliar, signInPlaceOf } from './sign-in-place.ts';
import { verifyAnswer, type ChallengeSubject } from './run-triggers.ts';

/**
 * Responds to a challenge. Each Session is used up by an answer, correct or not; of concurrent
 * answers, exactly one is checked.
 */
export async function respondToAuthChallenge(
  context: PoolContext,
  input: RespondToAuthChallengeInput,
  origin: CallOrigin,
): Promise<ChallengeReply> {
  const client = await requireAppClient(context.pool, input.ClientId);
  if (input.ChallengeName === WEB_AUTHN && offersPasskeys(context, client)) {
    const sent = { text: input.Session, username: required(input.ChallengeResponses, 'USERNAME') };
    const session = await requireSession(context, { ...sent, client });
    if (session.challengeName !== WEB_AUTHN) throw invalidSession();
    const credential = input.ChallengeResponses['CREDENTIAL'];
    return answerPasskeySignIn(context, { client, session, credential }, origin);
  }
  if (input.ChallengeName !== 'CUSTOM_CHALLENGE') {
    throw invalidParameter(`Challenge ${input.ChallengeName} is not supported by this client`);
  }
  const username = required(input.ChallengeResponses, 'USERNAME');
  const answer = required(input.ChallengeResponses, 'ANSWER');
  requireSecretHash(context, client, {
    usernames: [username],
    secretHash: input.ChallengeResponses['SECRET_HASH'],
  });
  const session = await requireSession(context, { text: input.Session, client, username });
  if (session.challengeName !== input.ChallengeName) throw invalidSession();
  // Also looked up for unknown users, so that timing reveals nothing.
  const found = await findUserBySub(context.pool, session.sub ?? randomUUID());
  const user = admit(client, found);
  const subject: ChallengeSubject = {
    username: session.username,
    user,
    client,
    identifier: session.identifier,
    place: await signInPlaceOf(context, { sub: user?.sub, address: origin.address }),
    clientMetadata: input.ClientMetadata,
    askedFrom: askedFrom(origin),
  };
  const reply = await answerTo(context, { session, subject, answer, origin });
  if (reply.AuthenticationResult !== undefined) {
    if (user !== undefined) await context.guesses.reset(user.sub);
    if (user !== undefined) await makeFamiliar(context, { sub: user.sub, address: origin.address });
    context.record({
      kind: 'signedIn',
      at: new Date(context.clock.now()),
      sub: user?.sub,
      username: session.username,
      address: origin.address,
    });
  }
  return reply;
}

interface Answer {
  readonly session: AuthSession;
  readonly subject: ChallengeSubject;
  readonly answer: string;
  readonly origin: CallOrigin;
}

async function answerTo(
  context: PoolContext,
  { session, subject, answer, origin }: Answer,
): Promise<ChallengeReply> {
  // Counted before the check, so that concurrent guesses cannot exceed the limit; a correct answer
  // is not counted.
  const subscriber = origin.address;
  const waitMs = await context.limits.hit(ADDRESS_RULES.wrongAnswer, subscriber);
  if (waitMs > 0) throw tooManyRequests(waitMs);
  const now = new Date(context.clock.now());
  if (!(await consumeAuthSession(context.pool, session.sessionHash, now))) throw sessionUsed();
  const { user } = subject;
  const owner = user !== undefined && isPasskeyRound(session) ? { ...subject, user } : undefined;
  const isRight =
    owner === undefined
      ? await guessAnswer(context, { subject, answer, origin }, (challengeAnswer) =>
          verifyAnswer(context, subject, {
            privateChallengeParameters: session.privateParameters,
            challengeAnswer,
          }),
        )
      : await isPasskeyAnswerRight(context, passkeyCallerOf(owner, owner.user, origin), answer);
  if (isRight) await context.limits.undo(ADDRESS_RULES.wrongAnswer, subscriber);
  else if (!isResend(subject)) recordWrongAnswer(context, subject, origin);
  const round = {
    challengeName: session.challengeName,
    challengeResult: isRight,
    ...(session.challengeMetadata !== null && { challengeMetadata: session.challengeMetadata }),
  };
  const passed = { rounds: [...session.rounds, round], before: session };
  if (owner !== undefined) return continueAfterPasskey(context, owner, { ...passed, isRight });
  return continueSignIn(context, subject, passed);
}

function recordWrongAnswer(
  context: PoolContext,
  { user, username }: ChallengeSubject,
  { address, requestId }: CallOrigin,
): void {
  const at = new Date(context.clock.now());
  context.record({ kind: 'wrongAnswer', at, sub: user?.sub, username, address, requestId });
}

async function requireSession(
  context: PoolContext,
  claim: { readonly text: string; readonly client: AppClient; readonly username: string },
): Promise<AuthSession> {
  const session = await findAuthSession(context.pool, context.hash('auth-session', claim.text));
  if (session === undefined || session.clientId !== claim.client.clientId) throw invalidSession();
  if (!(await isSameUser(context, session, claim))) throw invalidSession();
  if (session.usedAt !== null) throw sessionUsed();
  if (session.expiresAt.getTime() <= context.clock.now()) {
    throw notAuthorized('Invalid session for the user, session is expired.');
  }
  return session;
}

/**
 * Clients respond with the username from the challenge, or with the typed alias. If the pool hides
 * users, these are the same, and no other name is accepted, because it would reveal the owner of an
 * alias.
 */
async function isSameUser(
  context: PoolContext,
  session: AuthSession,
  { client, username }: { readonly client: AppClient; readonly username: string },
): Promise<boolean> {
  if (client.userExistenceErrors === 'ENABLED') return session.identifier === username;
  if (session.username.toLowerCase() === username.toLowerCase()) return true;
  const user = await findUserByIdentifier(context.pool, parseIdentifier(username));
  return user !== undefined && user.sub === session.sub;
}

function required(responses: Readonly<Record<string, string>>, name: string): string {
  const value = responses[name];
  if (value === undefined || value === '') {
    throw invalidParameter(`Missing required parameter ${name}`);
  }
  return value;
}

function invalidSession() {
  return notAuthorized('Invalid session for the user.');
}

function sessionUsed() {
  return notAuthorized('Invalid session for the user, session can only be used once.');
}
