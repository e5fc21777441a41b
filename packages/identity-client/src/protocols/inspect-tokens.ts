import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import {
  configuration,
  invalidArgument,
  postAsApplication,
  tokenProtocol,
} from './token-endpoint.ts';

/** Revokes a token. */
export async function revokeToken(
  client: IdentityClient,
  token: string,
  options?: CallOptions,
): Promise<true> {
  const option = 'revocationEndPointAuthMethod';
  if (tokenProtocol(client) === 'oauth' && client.options[option] === 'client_secret_basic') {
    throw configuration(
      client,
      'OAuth 2.0 撤回 Token 不支持 client_secret_basic',
      'OAuth 2.0 token revocation does not support client_secret_basic',
    );
  }
  await postAsApplication(client, 'token/revocation', option, { token }, options);
  return true;
}

/** Returns the provider's information about a token (RFC 7662). */
export function introspectToken(
  client: IdentityClient,
  token: string,
  options?: CallOptions,
): Promise<unknown> {
  const option = 'introspectionEndPointAuthMethod';
  return postAsApplication(client, 'token/introspection', option, { token }, options);
}

/**
 * Lets the provider validate an ID token or an access token. The token is part of the query, as the
 * contract requires.
 */
export async function validateToken(
  client: IdentityClient,
  tokens: { readonly idToken?: string | undefined; readonly accessToken?: string | undefined },
  { signal }: CallOptions = {},
): Promise<unknown> {
  const { idToken, accessToken } = tokens ?? {};
  if (!idToken === !accessToken) {
    throw invalidArgument(
      client,
      '请提供 idToken 或 accessToken 其中之一',
      'Either idToken or accessToken is required',
    );
  }
  const query = { id_token: idToken, access_token: accessToken };
  return client.raw({ method: 'GET', path: '/api/v2/oidc/validate_token', query, signal });
}

export interface UserInfoRequest extends CallOptions {
  readonly method?: 'GET' | 'POST' | undefined;
  /** Where the token is sent. Default: the header. Queries can end up in logs. */
  readonly tokenPlace?: 'header' | 'body' | 'query' | undefined;
}

/** Fetches the claims about the access token's user. */
export async function fetchUserInfo(
  client: IdentityClient,
  accessToken: string,
  { method = 'GET', tokenPlace = 'header', signal }: UserInfoRequest = {},
): Promise<unknown> {
  if (!['GET', 'POST'].includes(method)) {
    throw invalidArgument(client, 'method 只能是 GET 或 POST', 'method must be GET or POST');
  }
  if (!['query', 'header', 'body'].includes(tokenPlace)) {
    throw invalidArgument(
      client,
      'tokenPlace 只能是 query、header 或 body',
      'tokenPlace must be query, header or body',
    );
  }
  if (method === 'GET' && tokenPlace === 'body') {
    throw invalidArgument(client, 'GET 请求不能使用 body', 'A GET request has no body');
  }
  const token = { access_token: accessToken };
  return client.raw({
    method,
    path: `/${tokenProtocol(client)}/me`,
    ...(tokenPlace === 'header' ? { authorization: `Bearer ${accessToken}` } : {}),
    ...(tokenPlace === 'query' ? { query: token } : {}),
    ...(tokenPlace === 'body' ? { form: token } : {}),
    signal,
  });
}
