import { Amplify, decodeJWT } from '@aws-amplify/core';
import { cognitoUserPoolsTokenProvider as tokens } from '@aws-amplify/auth/cognito';
import { startAuthentication, WebAuthnAbortService } from '@simplewebauthn/browser';
import { ANYBODY } from './cognito-authentication.ts';

interface PoolReply {
  readonly Session?: string;
  readonly ChallengeParameters?: Readonly<Record<string, string>>;
  readonly AuthenticationResult?: {
    readonly AccessToken: string;
    readonly IdToken: string;
    readonly RefreshToken: string;
  };
}

const CHALLENGE = 'WEB_AUTHN';

/**
 * Offers passkeys in the field for the username, and resolves when the user has chosen one. The library of the user pool
 * can only open the browser’s dialog, so this makes its two calls.
 *
 * @returns finishes the sign-in and stores the tokens where the library finds them
 */
export async function offerPasskeys(signal: AbortSignal): Promise<() => Promise<void>> {
  const begun = await ask('InitiateAuth', {
    AuthFlow: 'USER_AUTH',
    AuthParameters: { USERNAME: ANYBODY, PREFERRED_CHALLENGE: CHALLENGE },
  });
  signal.throwIfAborted();
  const cancel = (): void => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const options = begun.ChallengeParameters?.['CREDENTIAL_REQUEST_OPTIONS'] ?? '';
    const optionsJSON = JSON.parse(options) as Parameters<
      typeof startAuthentication
    >[0]['optionsJSON'];
    const credential = await startAuthentication({ optionsJSON, useBrowserAutofill: true });
    return () => finish(begun, JSON.stringify(credential));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

async function finish({ Session }: PoolReply, credential: string): Promise<void> {
  const { AuthenticationResult: result } = await ask('RespondToAuthChallenge', {
    ChallengeName: CHALLENGE,
    ChallengeResponses: { USERNAME: ANYBODY, CREDENTIAL: credential },
    Session,
  });
  if (result === undefined) throw new Error('The user pool returned no tokens.');
  const accessToken = decodeJWT(result.AccessToken);
  const issuedAtMs = (accessToken.payload.iat ?? 0) * 1_000;
  await tokens.tokenOrchestrator.setTokens({
    tokens: {
      accessToken,
      idToken: decodeJWT(result.IdToken),
      refreshToken: result.RefreshToken,
      clockDrift: issuedAtMs > 0 ? issuedAtMs - Date.now() : 0,
      username: ANYBODY,
    },
  });
}

async function ask(operation: string, body: object): Promise<PoolReply> {
  const pool = Amplify.getConfig().Auth?.Cognito;
  if (pool?.userPoolEndpoint === undefined)
    throw new Error('The user pool is not that of the portal.');
  const reply = await fetch(pool.userPoolEndpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ClientId: pool.userPoolClientId, ...body }),
  });
  const answer = (await reply.json()) as PoolReply & {
    readonly __type?: string;
    readonly message?: string;
  };
  if (reply.ok) return answer;
  const error = new Error(answer.message);
  error.name = answer.__type ?? 'unknown';
  throw error;
}
