import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import type { IdentityError } from '../core/identity-error.ts';
import { randomText } from '../core/random-text.ts';
import { localError } from '../core/report.ts';
import { readClaims } from '../profile/require-user-id.ts';
import { buildAuthorizeUrl, STATE_LENGTH, type AuthorizeInput } from './authorize-url.ts';
import { exchangeCode, type TokenSet } from './exchange-tokens.ts';
import { codeChallengeOf, createCodeVerifier } from './pkce.ts';
import { tokenProtocol } from './token-endpoint.ts';

/**
 * State of a sign-in by redirection. Keep it in the page's session storage until the provider
 * redirects back.
 */
export interface AuthorizationTransaction {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri?: string | undefined;
}

/** Starts a sign-in by redirection, with state, nonce, and PKCE. */
export function startAuthorization(
  client: IdentityClient,
  input: Pick<AuthorizeInput, 'redirectUri' | 'scope' | 'tenantId'> = {},
): { readonly url: string; readonly transaction: AuthorizationTransaction } {
  tokenProtocol(client);
  const transaction = {
    state: randomText(STATE_LENGTH),
    nonce: randomText(STATE_LENGTH),
    codeVerifier: createCodeVerifier(),
    redirectUri: input.redirectUri ?? client.options.redirectUri,
  };
  const url = buildAuthorizeUrl(client, {
    ...input,
    ...transaction,
    codeChallenge: codeChallengeOf(client, transaction.codeVerifier),
    codeChallengeMethod: 'S256',
  });
  return { url, transaction };
}

/**
 * Completes the sign-in on the page of the redirect URI. Throws unless state and nonce match the
 * transaction and the ID token is for this application.
 */
export async function completeAuthorization(
  client: IdentityClient,
  returnedUrl: string,
  transaction: AuthorizationTransaction,
  options: CallOptions = {},
): Promise<TokenSet> {
  const answer = new URL(returnedUrl).searchParams;
  if (transaction.state.length < STATE_LENGTH || answer.get('state') !== transaction.state) {
    throw refused(client, 'state');
  }
  const code = answer.get('code');
  if (code === null) throw refused(client, answer.get('error') ?? 'code');
  const { codeVerifier, redirectUri } = transaction;
  const tokens = await exchangeCode(client, { code, codeVerifier, redirectUri }, options);
  if (tokenProtocol(client) === 'oidc') checkIdToken(client, tokens, transaction);
  return tokens;
}

function checkIdToken(
  client: IdentityClient,
  { id_token: idToken }: TokenSet,
  { nonce }: AuthorizationTransaction,
): void {
  const claims = typeof idToken === 'string' ? readClaims(idToken) : {};
  if (nonce.length < STATE_LENGTH || claims['nonce'] !== nonce) throw refused(client, 'nonce');
  const audience = [claims['aud']].flat();
  if (!audience.includes(client.options.appId)) throw refused(client, 'aud');
}

function refused(client: IdentityClient, what: string): IdentityError {
  return localError(
    client,
    'FLOW_REFUSED',
    { zh: `登录应答未通过验证：${what}`, en: `The authorization response was rejected: ${what}` },
    { data: what },
  );
}
