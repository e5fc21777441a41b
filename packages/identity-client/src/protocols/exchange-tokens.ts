import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { invalidArgument, postAsApplication, tokenProtocol } from './token-endpoint.ts';

/** What the token endpoint hands out. */
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

/** Exchanges the code that came back from the provider. */
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

/** Exchanges a refresh token for fresh tokens. */
export async function refreshTokens(
  client: IdentityClient,
  refreshToken: string,
  options?: CallOptions,
): Promise<TokenSet> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
  return (await postAsApplication(client, ...TOKEN, form, options)) as TokenSet;
}

/** Exchanges an id token of the same pool for tokens of this application. */
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

/** Tokens for a program instead of a person: needs its own pair of keys. */
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
