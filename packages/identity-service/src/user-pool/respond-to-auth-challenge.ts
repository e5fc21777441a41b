import {
  consumeAuthSession,
  findAuthSession,
  type AuthSession,
} from '../store/auth-session-store.ts';
import { findUserByIdentifier, findUserBySub, type PoolUser } from '../store/user-store.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import type { RespondToAuthChallengeInput } from '../wire/user-pool-shapes.ts';
import { invalidParameter, notAuthorized, tooManyRequests } from '../wire/wire-error.ts';
import { continueSignIn, type ChallengeReply } from './challenge-round.ts';
import { requireAppClient, requireEnabled, userDoesNotExist } from './find-sign-in-user.ts';
import { parseIdentifier } from './identifier.ts';
import type { PoolContext } from './pool-context.ts';
import { ADDRESS_RULES, subscriberOf } from './rate-limits.ts';
import { verifyAnswer, type ChallengeSubject } from './run-triggers.ts';

/**
 * Answers a challenge. Each Session counts once, whether the answer is right or wrong; of two answers at the same
 * moment exactly one is looked at.
 */
export async function respondToAuthChallenge(
  context: PoolContext,
  input: RespondToAuthChallengeInput,
  origin: CallOrigin,
): Promise<ChallengeReply> {
  const client = await requireAppClient(context.pool, input.ClientId);
  if (input.ChallengeName !== 'CUSTOM_CHALLENGE') {
    throw invalidParameter(`Challenge ${input.ChallengeName} is not supported by this client`);
  }
  const username = required(input.ChallengeResponses, 'USERNAME');
  const answer = required(input.ChallengeResponses, 'ANSWER');
  const session = await requireSession(context, {
    text: input.Session,
    clientId: client.clientId,
    username,
  });
  const user = await readUser(context, session);
  const subject: ChallengeSubject = {
    username: session.username,
    user,
    clientId: client.clientId,
    identifier: session.identifier,
    clientMetadata: input.ClientMetadata,
  };
  const reply = await judge(context, { session, subject, answer, address: origin.address });
  if (reply.AuthenticationResult !== undefined) {
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
  readonly address: string;
}

async function judge(
  context: PoolContext,
  { session, subject, answer, address }: Answer,
): Promise<ChallengeReply> {
  // Counted before the answer is looked at, so that parallel guesses cannot pass the limit; a right answer is given back.
  const waitMs = await context.limits.hit(ADDRESS_RULES.wrongAnswer, subscriberOf(address));
  if (waitMs > 0) throw tooManyRequests(waitMs);
  const now = new Date(context.clock.now());
  if (!(await consumeAuthSession(context.pool, session.sessionHash, now))) throw sessionUsed();
  const isRight = await verifyAnswer(context, subject, {
    privateChallengeParameters: session.privateParameters,
    challengeAnswer: answer,
  });
  if (isRight) await context.limits.undo(ADDRESS_RULES.wrongAnswer, subscriberOf(address));
  const round = {
    challengeName: session.challengeName,
    challengeResult: isRight,
    ...(session.challengeMetadata !== null && { challengeMetadata: session.challengeMetadata }),
  };
  return continueSignIn(context, subject, { rounds: [...session.rounds, round], before: session });
}

async function requireSession(
  context: PoolContext,
  claim: { readonly text: string; readonly clientId: string; readonly username: string },
): Promise<AuthSession> {
  const session = await findAuthSession(context.pool, context.hash('auth-session', claim.text));
  if (session === undefined || session.clientId !== claim.clientId) throw invalidSession();
  if (!(await isSameUser(context, session, claim.username))) throw invalidSession();
  if (session.usedAt !== null) throw sessionUsed();
  if (session.expiresAt.getTime() <= context.clock.now()) {
    throw notAuthorized('Invalid session for the user, session is expired.');
  }
  return session;
}

/** Clients answer with the pool's user name; some answer with the alias the person typed. */
async function isSameUser(
  context: PoolContext,
  session: AuthSession,
  username: string,
): Promise<boolean> {
  if (session.username.toLowerCase() === username.toLowerCase()) return true;
  const user = await findUserByIdentifier(context.pool, parseIdentifier(username));
  return user !== undefined && user.sub === session.sub;
}

async function readUser(context: PoolContext, session: AuthSession): Promise<PoolUser | undefined> {
  if (session.sub === null) return undefined;
  const user = await findUserBySub(context.pool, session.sub);
  if (user === undefined) throw userDoesNotExist();
  requireEnabled(user);
  return user;
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
