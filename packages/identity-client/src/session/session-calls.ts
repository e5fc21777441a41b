import { malformed } from '../core/call-rest.ts';
import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { localError, report } from '../core/report.ts';
import { asRecord } from '../core/send.ts';

/** Status of a token. */
export interface LoginStatus {
  readonly code?: number | null;
  readonly message?: string | null;
  readonly status?: boolean | null;
  readonly exp?: number | null;
  readonly iat?: number | null;
  readonly data?: {
    readonly id?: string | null;
    readonly userPoolId?: string | null;
    readonly arn?: string | null;
  } | null;
}

export interface RefreshedToken {
  readonly token: string;
  readonly iat?: number | null;
  readonly exp?: number | null;
}

const STATUS = operation(
  'query',
  'checkLoginStatus',
  { token: 'String' },
  'code message status exp iat data { id userPoolId arn }',
);
const REFRESH = operation('mutation', 'refreshToken', { id: 'String' }, 'token iat exp');

/** The status of the given token or the current one. Throws if there is neither. */
export async function checkLoginStatus(
  client: IdentityClient,
  token?: string,
  { signal }: CallOptions = {},
): Promise<LoginStatus> {
  const { session } = client;
  if (!token && session.getToken() === null && session.getUser() === null) {
    throw localError(client, 'NOT_SIGNED_IN', { zh: '请先登录！', en: 'Please log in first' });
  }
  const variables = { token };
  return (await client.graphql({ operation: STATUS, variables, signal })) as LoginStatus;
}

/** Replaces the current token with a new one. */
export async function refreshToken(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<RefreshedToken> {
  const reply = await client.graphql({ operation: REFRESH, variables: {}, signal });
  const { token } = asRecord(reply);
  if (typeof token !== 'string' || token === '') throw report(client, malformed(client));
  client.session.setToken(token);
  return reply as RefreshedToken;
}

/** Ends the session at the provider, then clears the local session. */
export async function logout(client: IdentityClient, { signal }: CallOptions = {}): Promise<void> {
  const query = { app_id: client.options.appId };
  await client.rest({ method: 'GET', path: '/api/v2/logout', query, signal });
  client.session.clearUser();
}

/** Ends only this device's session. */
export async function logoutCurrent(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<void> {
  const query = { appId: client.options.appId, deviceId: 'current' };
  await client.rest({ method: 'GET', path: '/logout', query, signal });
  client.session.clearUser();
}
