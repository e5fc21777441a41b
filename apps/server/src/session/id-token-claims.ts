import { toPlainName } from '@deviceportal/contract/plain-name';
import { z } from 'zod';

/** The claims of an id token that the portal uses. */
export interface IdTokenClaims {
  readonly subject: string;
  readonly username: string;
  readonly email: string | null;
  readonly phone: string | null;
  /** Whether the provider has verified that they belong to the user. */
  readonly emailVerified: boolean;
  readonly phoneVerified: boolean;
  readonly name: string | null;
  readonly groups: readonly string[];
  /** Identifies the sign-in of the token (`origin_jti`, `sid`); null if the provider does not include it. */
  readonly originJti: string | null;
  readonly authenticatedAt: Date;
  readonly expiresAt: Date;
}

const person = {
  sub: z.string().min(1),
  exp: z.number(),
  email: z.string().nullish(),
  phone_number: z.string().nullish(),
  // Booleans in OpenID Connect Core 1.0, section 5.1; some providers send strings. Anything else is not verified.
  email_verified: z.unknown().optional(),
  phone_number_verified: z.unknown().optional(),
  name: z.string().nullish(),
};

const cognitoSchema = z.object({
  ...person,
  auth_time: z.number(),
  origin_jti: z.string().nullish(),
  'cognito:username': z.string().min(1),
  'cognito:groups': z.array(z.string()).default([]),
});

/** @throws z.ZodError when a claim is missing that every id token of a user pool has */
export function cognitoClaims(payload: unknown): IdTokenClaims {
  const claims = cognitoSchema.parse(payload);
  return {
    ...personOf(claims),
    username: claims['cognito:username'],
    groups: claims['cognito:groups'],
    originJti: claims.origin_jti ?? null,
    authenticatedAt: new Date(claims.auth_time * 1000),
  };
}

const oidcSchema = z.object({
  ...person,
  iat: z.number(),
  auth_time: z.number().nullish(),
  sid: z.string().nullish(),
  preferred_username: z.string().nullish(),
  username: z.string().nullish(),
  /** Codes, or roles with a code; absent if the provider's application does not include them in the token. */
  roles: z.array(z.union([z.string(), z.object({ code: z.string() })])).nullish(),
});

/**
 * The claims of an OpenID Connect id token (the provider set `authing`); roles become groups by their code. Without
 * `auth_time`, which is optional in OpenID Connect, the time of issue is the time of sign-in. `groups` is null if the
 * token does not contain roles.
 */
export function oidcClaims(
  payload: unknown,
): Omit<IdTokenClaims, 'groups'> & { readonly groups: readonly string[] | null } {
  const claims = oidcSchema.parse(payload);
  return {
    ...personOf(claims),
    username:
      claims.preferred_username ??
      claims.username ??
      claims.email ??
      claims.phone_number ??
      claims.name ??
      claims.sub,
    groups: claims.roles?.map((role) => (typeof role === 'string' ? role : role.code)) ?? null,
    originJti: claims.sid ?? null,
    authenticatedAt: new Date((claims.auth_time ?? claims.iat) * 1000),
  };
}

function personOf(claims: z.output<z.ZodObject<typeof person>>) {
  return {
    subject: claims.sub,
    email: claims.email ?? null,
    phone: claims.phone_number ?? null,
    emailVerified: isTrue(claims.email_verified),
    phoneVerified: isTrue(claims.phone_number_verified),
    name: claims.name ? toPlainName(claims.name) : null,
    expiresAt: new Date(claims.exp * 1000),
  };
}

const isTrue = (claim: unknown): boolean => claim === true || claim === 'true';
