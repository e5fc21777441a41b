import { findUserByIdentifier } from '../store/user-store.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import type { InitiateAuthInput } from '../wire/user-pool-shapes.ts';
import { invalidParameter, tooManyRequests } from '../wire/wire-error.ts';
import { continueSignIn, type ChallengeReply } from './challenge-round.ts';
import { requireAppClient, requireEnabled, userDoesNotExist } from './find-sign-in-user.ts';
import { parseIdentifier } from './identifier.ts';
import type { PoolContext } from './pool-context.ts';
import { ADDRESS_RULES, subscriberOf } from './rate-limits.ts';
import { refreshTokens } from './refresh-tokens.ts';
import type { ChallengeSubject } from './run-triggers.ts';

/** Starts a custom challenge, or renews tokens in the older clients' way (cognito.md, section 2). */
export async function initiateAuth(
  context: PoolContext,
  input: InitiateAuthInput,
  origin: CallOrigin,
): Promise<ChallengeReply> {
  const client = await requireAppClient(context.pool, input.ClientId);
  const flow = input.AuthFlow === 'REFRESH_TOKEN' ? 'REFRESH_TOKEN_AUTH' : input.AuthFlow;
  if (!client.authFlows.includes(flow)) {
    throw invalidParameter(`${flow} flow not enabled for this client`);
  }
  if (flow === 'REFRESH_TOKEN_AUTH') {
    const refreshToken = required(input.AuthParameters, 'REFRESH_TOKEN');
    const result = await refreshTokens(context, { clientId: client.clientId, refreshToken });
    return { AuthenticationResult: result, ChallengeParameters: {} };
  }
  const waitMs = await context.limits.hit(ADDRESS_RULES.start, subscriberOf(origin.address));
  if (waitMs > 0) throw tooManyRequests(waitMs);
  const typed = required(input.AuthParameters, 'USERNAME');
  const user = await findUserByIdentifier(context.pool, parseIdentifier(typed));
  if (user === undefined && client.userExistenceErrors === 'LEGACY') throw userDoesNotExist();
  if (user !== undefined) requireEnabled(user);
  const subject: ChallengeSubject = {
    username: user?.username ?? typed,
    user,
    clientId: client.clientId,
    identifier: typed,
  };
  const reply = await continueSignIn(context, subject, { rounds: [], before: undefined });
  context.record({
    kind: reply.AuthenticationResult === undefined ? 'challengeStarted' : 'signedIn',
    at: new Date(context.clock.now()),
    sub: user?.sub,
    username: subject.username,
    address: origin.address,
  });
  return reply;
}

function required(parameters: Readonly<Record<string, string>>, name: string): string {
  const value = parameters[name];
  if (value === undefined || value.trim() === '') {
    throw invalidParameter(`Missing required parameter ${name}`);
  }
  return value;
}
