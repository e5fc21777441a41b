import type { AppClient } from './app-client-store.ts';
import { consumeAuthSession, insertAuthSession, type AuthSession } from './auth-session-store.ts';
import { findUserByIdentifier, findUserBySub } from '../../accounts/pool-account-store.ts';
import { PasskeyError } from '../../passkeys/passkey-error.ts';
import { randomSecret } from '../../secrets/secret-hash.ts';
import type { CallOrigin } from '../wire/call-origin.ts';
import { invalidParameter, notAuthorized, tooManyRequests } from '../wire/wire-error.ts';
import { SESSION_BYTES, SESSION_VALIDITY_MS, type ChallengeReply } from './challenge-round.ts';
import { admit } from './find-sign-in-user.ts';
import { parseIdentifier } from './identifier.ts';
import { openSession } from './issue-tokens.ts';
import { credentialIn } from './passkey-round.ts';
import type { PoolContext } from './pool-context.ts';

export const WEB_AUTHN = 'WEB_AUTHN';
/** Sent instead of a username: the passkey identifies the user. */
const ANYBODY = '*';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Starts a sign-in with a passkey in place of a code: `USER_AUTH` with the preferred challenge `WEB_AUTHN`
 * (cognito.md, section 2). The reply is the same for every username, so that it does not reveal who has a passkey.
 */
export async function startPasskeySignIn(
  context: PoolContext,
  { client, identifier }: { readonly client: AppClient; readonly identifier: string },
  origin: CallOrigin,
): Promise<ChallengeReply> {
  const options = await context.passkeys.beginSignIn(origin.address).catch(asWireError);
  const session = randomSecret(SESSION_BYTES);
  const nowMs = context.clock.now();
  await insertAuthSession(context.pool, {
    sessionHash: context.hash('auth-session', session),
    clientId: client.clientId,
    sub: null,
    ...{ username: identifier, identifier, challengeName: WEB_AUTHN },
    ...{ rounds: [], challengeMetadata: null, privateParameters: {}, usedAt: null },
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + SESSION_VALIDITY_MS),
  });
  return {
    ChallengeName: WEB_AUTHN,
    ChallengeParameters: {
      CREDENTIAL_REQUEST_OPTIONS: JSON.stringify(options),
      USERNAME: identifier,
    },
    Session: session,
  };
}

/** Signs in the owner of the passkey, if they chose that it replaces the code. */
export async function answerPasskeySignIn(
  context: PoolContext,
  {
    client,
    session,
    credential,
  }: {
    readonly client: AppClient;
    readonly session: AuthSession;
    readonly credential: string | undefined;
  },
  origin: CallOrigin,
): Promise<ChallengeReply> {
  if (credential === undefined) throw invalidParameter('Missing required parameter CREDENTIAL');
  const at = new Date(context.clock.now());
  if (!(await consumeAuthSession(context.pool, session.sessionHash, at))) {
    throw notAuthorized('Invalid session for the user, session can only be used once.');
  }
  const { address, requestId } = origin;
  const assertion = await context.passkeys
    .finishSignIn({ address, requestId }, credentialIn(credential))
    .catch(asWireError);
  // A passkey of another directory belongs to no user of the pool.
  const found = UUID.test(assertion.ownerId)
    ? await findUserBySub(context.pool, assertion.ownerId)
    : undefined;
  if (found === undefined || !assertion.signsIn) throw incorrect();
  if (session.identifier !== ANYBODY) {
    const named = await findUserByIdentifier(context.pool, parseIdentifier(session.identifier));
    if (named?.sub !== found.sub) throw incorrect();
  }
  const user = admit(client, found);
  if (user === undefined) throw incorrect();
  const result = await openSession(context, user, client.clientId);
  context.record({
    ...{ kind: 'signedIn', at, sub: user.sub, username: user.username, address },
    detail: 'passkey',
  });
  return { AuthenticationResult: result, ChallengeParameters: {} };
}

function asWireError(error: unknown): never {
  if (!(error instanceof PasskeyError)) throw error;
  if (error.refusal === 'tooManyRequests') throw tooManyRequests(error.waitMs ?? 0);
  throw incorrect();
}

function incorrect() {
  return notAuthorized('Incorrect username or password.');
}
