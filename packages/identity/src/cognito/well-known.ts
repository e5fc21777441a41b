import type { JWK } from 'jose';

/** `<issuer>/.well-known/jwks.json` (RFC 7517, section 5). */
export interface KeySet {
  readonly keys: readonly JWK[];
}

/** `<issuer>/.well-known/openid-configuration`, as far as this issuer offers it (OpenID Connect Discovery, section 3). */
export interface OpenIdConfiguration {
  readonly issuer: string;
  readonly jwks_uri: string;
  readonly response_types_supported: readonly string[];
  readonly subject_types_supported: readonly string[];
  readonly id_token_signing_alg_values_supported: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly claims_supported: readonly string[];
}

export function openIdConfiguration(issuer: string): OpenIdConfiguration {
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    // Tokens come from the user pool's own operations; there is no authorization endpoint.
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    claims_supported: [
      'sub',
      'email',
      'email_verified',
      'phone_number',
      'phone_number_verified',
      'name',
    ],
  };
}
