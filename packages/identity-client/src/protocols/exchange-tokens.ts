import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { invalidArgument, postAsApplication, tokenProtocol } from './token-endpoint.ts';

/** Response of the token endpoint. */
export interface TokenSet {
  readonly access_token?: string;
  readonly id_token?: string;
  readonly refresh_token?: string;
  readonly token_type?: string;
  readonly expires_in?: number;
  readonly scope?: string;
}

const TOKEN = ['token', 'tokenEndPointAuthMethod'] as const;
const ID_TOKEN_GRANT = 'http://authing.cn/oidc/grant_type/authing_token';

/** Exchanges an authorization code for tokens. */
export async function exchangeCode(
  client: IdentityClient,
  input: {
    readonly code: string;
    readonly codeVerifier?: string | undefined;
    readonly redirectUri?: string | undefined;
  },
  options?: CallOptions,
): Promise<TokenSet> {
  const form = {
    grant_type: 'authorization_code',
    code: input.code,
    redirect_uri: input.redirectUri ?? client.options.redirectUri,
    code_verifier: input.codeVerifier,
  };
  return (await postAsApplication(client, ...TOKEN, form, options)) as TokenSet;
}

/** Exchanges a refresh token for new tokens. */
export async function refreshTokens(
  client: IdentityClient,
  refreshToken: string,
  options?: CallOptions,
): Promise<TokenSet> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return (await postAsApplication(client, ...TOKEN, form, options)) as TokenSet;
}

/** Exchanges an ID token of the same user pool for tokens of this application. */
export async function exchangeIdToken(
  client: IdentityClient,
  input: { readonly idToken: string; readonly redirectUri: string; readonly scope?: string },
  { signal }: CallOptions = {},
): Promise<TokenSet> {
  const form = {
    client_id: client.options.appId,
    grant_type: ID_TOKEN_GRANT,
    redirect_uri: input.redirectUri,
    token: input.idToken,
    scope: input.scope ?? '',
  };
  const path = `/${tokenProtocol(client)}/token`;
  return (await client.raw({ method: 'POST', path, form, signal })) as TokenSet;
}

/** Gets tokens for an application without a user (client credentials). Requires an access key. */
export async function exchangeClientCredentials(
  client: IdentityClient,
  input: { readonly scope: string; readonly accessKey: string; readonly accessSecret: string },
  { signal }: CallOptions = {},
): Promise<TokenSet> {
  const { scope, accessKey, accessSecret } = input;
  if (!scope) throw invalidArgument(client, '请提供 scope', 'scope is missing');
  if (!accessKey || !accessSecret) {
    throw invalidArgument(
      client,
      '请提供 accessKey 和 accessSecret',
      'accessKey and accessSecret are missing',
    );
  }
  const form = {
    client_id: accessKey,
    client_secret: accessSecret,
    grant_type: 'client_credentials',
    scope,
  };
  const path = `/${tokenProtocol(client)}/token`;
  return (await client.raw({ method: 'POST', path, form, signal })) as TokenSet;
}
