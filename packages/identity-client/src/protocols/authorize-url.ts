import { urlOf } from '../core/base-url.ts';
import type { IdentityClient } from '../core/identity-client.ts';
import { randomText } from '../core/random-text.ts';
import { requireLongEnough } from './pkce.ts';
import { configuration } from './token-endpoint.ts';

/** Length of states and nonces, in characters. */
export const STATE_LENGTH = 32;
const OIDC_SCOPE = 'openid profile email phone address';
const OAUTH_SCOPE = 'user';

export interface AuthorizeInput {
  readonly appId?: string | undefined;
  readonly redirectUri?: string | undefined;
  readonly responseType?: string | undefined;
  readonly responseMode?: string | undefined;
  readonly state?: string | undefined;
  readonly nonce?: string | undefined;
  readonly scope?: string | undefined;
  readonly codeChallenge?: string | undefined;
  readonly codeChallengeMethod?: 'S256' | 'plain' | undefined;
  readonly tenantId?: string | undefined;
  /** CAS: the service that the ticket is for. */
  readonly service?: string | undefined;
}

/**
 * URL where the user signs in. State and nonce are random unless given. To verify them afterwards,
 * use `startAuthorization`.
 */
export function buildAuthorizeUrl(client: IdentityClient, input: AuthorizeInput = {}): string {
  const { protocol, appId } = client.options;
  if (protocol === 'oidc') return oidcUrl(client, input);
  if (protocol === 'oauth') return oauthUrl(client, input);
  if (protocol === 'saml') return urlOf(client.baseUrl, `/api/v2/saml-idp/${appId}`);
  if (protocol === 'cas') {
    return urlOf(client.baseUrl, `/cas-idp/${appId}`, { service: input.service });
  }
  throw configuration(
    client,
    'protocol 只能是 oidc、oauth、saml 或 cas',
    'protocol must be oidc, oauth, saml or cas',
  );
}

function oidcUrl(client: IdentityClient, input: AuthorizeInput): string {
  const { codeChallenge, codeChallengeMethod, scope, nonce } = input;
  if (codeChallenge !== undefined) requireLongEnough(client, codeChallenge);
  return urlOf(client.baseUrl, '/oidc/auth', {
    nonce: nonce ?? randomText(STATE_LENGTH),
    ...common(client, input, OIDC_SCOPE),
    prompt: scope?.includes('offline_access') ? 'consent' : undefined,
    response_mode: input.responseMode,
    code_challenge: codeChallenge,
    code_challenge_method: codeChallengeMethod,
    tenant_id: input.tenantId,
  });
}

function oauthUrl(client: IdentityClient, input: AuthorizeInput): string {
  return urlOf(client.baseUrl, '/oauth/auth', common(client, input, OAUTH_SCOPE));
}

function common(
  { options }: IdentityClient,
  input: AuthorizeInput,
  scope: string,
): Readonly<Record<string, string | undefined>> {
  return {
    state: input.state ?? randomText(STATE_LENGTH),
    scope: input.scope ?? scope,
    client_id: input.appId ?? options.appId,
    redirect_uri: input.redirectUri ?? options.redirectUri,
    response_type: input.responseType ?? 'code',
  };
}
