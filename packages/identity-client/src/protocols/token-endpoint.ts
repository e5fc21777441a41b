import type { QueryValues } from '../core/base-url.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import type { IdentityError } from '../core/identity-error.ts';
import { localError } from '../core/report.ts';

/** Protocols that issue tokens. */
export function tokenProtocol(client: IdentityClient): 'oidc' | 'oauth' {
  const { protocol } = client.options;
  if (protocol === 'oidc' || protocol === 'oauth') return protocol;
  throw configuration(client, 'protocol 必须为 oauth 或 oidc', 'protocol must be oauth or oidc');
}

/** The option that sets the client authentication method of an endpoint. */
export type AuthenticationOption =
  | 'tokenEndPointAuthMethod'
  | 'introspectionEndPointAuthMethod'
  | 'revocationEndPointAuthMethod';

/** Posts a form to an endpoint of the protocol, with the configured client authentication. */
export async function postAsApplication(
  client: IdentityClient,
  endpoint: string,
  option: AuthenticationOption,
  form: QueryValues,
  { signal }: CallOptions = {},
): Promise<unknown> {
  const protocol = tokenProtocol(client);
  const { appId, secret } = client.options;
  const method: string = client.options[option];
  if (method !== 'none' && !secret) throw secretMissing(client);
  const path = `/${protocol}/${endpoint}`;
  if (method === 'client_secret_basic') {
    const authorization = basicAuthorization(appId, secret);
    return client.raw({ method: 'POST', path, form, authorization, signal });
  }
  if (method !== 'client_secret_post' && method !== 'none') throw unknownMethod(client, option);
  const proof =
    method === 'none' ? { client_id: appId } : { client_id: appId, client_secret: secret };
  return client.raw({ method: 'POST', path, form: { ...proof, ...form }, signal });
}

/** HTTP Basic without percent-encoding, as in the contract. */
export function basicAuthorization(appId = '', secret = ''): string {
  const bytes = new TextEncoder().encode(`${appId}:${secret}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

function secretMissing(client: IdentityClient): IdentityError {
  return configuration(
    client,
    '创建客户端时必须提供 appId 和 secret',
    'The client requires appId and secret',
  );
}

function unknownMethod(client: IdentityClient, option: string): IdentityError {
  const values = 'client_secret_post, client_secret_basic, none';
  return configuration(client, `${option} 只能是 ${values}`, `${option} must be one of ${values}`);
}

/** The error for a missing or invalid client option. */
export function configuration(client: IdentityClient, zh: string, en: string): IdentityError {
  return localError(client, 'CONFIGURATION', { zh, en });
}

/** The error for an invalid argument of a call. */
export function invalidArgument(client: IdentityClient, zh: string, en: string): IdentityError {
  return localError(client, 'INVALID_ARGUMENT', { zh, en });
}
