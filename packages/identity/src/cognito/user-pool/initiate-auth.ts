import { findUserByIdentifier } from '../../accounts/pool-account-store.ts';
import { askedFrom, type CallOrigin } from '../wire/call-origin.ts';
import type { InitiateAuthInput } from '../wire/user-pool-shapes.ts';
import { invalidParameter, tooManyRequests } from '../wire/wire-error.ts';
import { continueSignIn, type ChallengeReply } from './challenge-round.ts';
import { requireSecretHash } from './client-secret.ts';
import { admit, requireAppClient } from './find-sign-in-user.ts';
import { parseIdentifier } from './identifier.ts';
import { offersPasskeys } from './passkey-round.ts';
import { startPasskeySignIn, WEB_AUTHN } from './passkey-sign-in.ts';
import type { PoolContext } from './pool-context.ts';
import { ADDRESS_RULES } from '../../limits/rate-limits.ts';
import { signInPlaceOf } from './sign-in-place.ts';
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
  // Rotation excludes the older clients' way: it has no place for the new refresh token.
  const isOff = flow === 'REFRESH_TOKEN_AUTH' && client.refreshTokenRotation;
  const isPasskey =
    flow === 'USER_AUTH' &&
    input.AuthParameters['PREFERRED_CHALLENGE'] === WEB_AUTHN &&
    offersPasskeys(context, client);
  if (isOff || !(isPasskey || client.authFlows.includes(flow))) {
    throw invalidParameter(`${flow} flow not enabled for this client`);
  }
  if (flow === 'REFRESH_TOKEN_AUTH') {
    const refreshToken = required(input.AuthParameters, 'REFRESH_TOKEN');
    const secretHash = input.AuthParameters['SECRET_HASH'];
    const result = await refreshTokens(context, {
      client,
      refreshToken,
      checkSecret: ({ username, sub }) =>
        requireSecretHash(context, client, { usernames: [username, sub], secretHash }),
    });
    return { AuthenticationResult: result, ChallengeParameters: {} };
  }
  // Passkeys have a limit of their own: pages that only offer them must not use up the sign-ins with a code.
  const waitMs = isPasskey ? 0 : await context.limits.hit(ADDRESS_RULES.start, origin.address);
  if (waitMs > 0) throw tooManyRequests(waitMs);
  const typed = required(input.AuthParameters, 'USERNAME');
  requireSecretHash(context, client, {
    usernames: [typed],
    secretHash: input.AuthParameters['SECRET_HASH'],
  });
  if (isPasskey) return startPasskeySignIn(context, { client, identifier: typed }, origin);
  const found = await findUserByIdentifier(context.pool, parseIdentifier(typed));
  const user = admit(client, found);
  const subject: ChallengeSubject = {
    username: user?.username ?? typed,
    user,
    client,
    identifier: typed,
    askedFrom: askedFrom(origin),
    place: await signInPlaceOf(context, { sub: user?.sub, address: origin.address }),
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
