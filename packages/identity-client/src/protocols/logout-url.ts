import { urlOf } from '../core/base-url.ts';
import type { IdentityClient } from '../core/identity-client.ts';
import { invalidArgument } from './token-endpoint.ts';

export interface LogoutInput {
  /** OIDC: uses the protocol's end-session endpoint. */
  readonly expert?: boolean | undefined;
  readonly idToken?: string | undefined;
  readonly redirectUri?: string | undefined;
}

/** URL that ends the session at the provider. */
export function buildLogoutUrl(client: IdentityClient, input: LogoutInput = {}): string {
  const { protocol } = client.options;
  const { redirectUri, idToken } = input;
  if (protocol === 'cas') return urlOf(client.baseUrl, '/cas-idp/logout', { url: redirectUri });
  if (protocol !== 'oidc' || !input.expert) {
    return urlOf(client.baseUrl, '/login/profile/logout', { redirect_uri: redirectUri });
  }
  if (!idToken !== !redirectUri) {
    throw invalidArgument(
      client,
      'idToken 与 redirectUri 必须同时提供',
      'idToken and redirectUri must be set together',
    );
  }
  const query = { id_token_hint: idToken, post_logout_redirect_uri: redirectUri };
  return urlOf(client.baseUrl, '/oidc/session/end', query);
}
