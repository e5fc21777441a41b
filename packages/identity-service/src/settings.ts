import {
  DEFAULT_SESSION_DURATION_MINUTES,
  TOKEN_LIFETIME_SECONDS,
  USER_POOL_REGION,
} from '@deviceportal/contract/constants';
import { z } from 'zod';

const DEFAULT_IDENTITY_POOL_UUID = '6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10';

const settingsSchema = z.object({
  /** Issuer of the tokens, without a slash at the end; the last path part is the user pool id. */
  issuer: z.url().regex(/[^/]$/, 'must not end with a slash'),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/)
    .default(USER_POOL_REGION),
  userPoolId: z.string().regex(/^[\w-]+_[0-9a-zA-Z]+$/),
  userPoolClientId: z
    .string()
    .regex(/^[\w+]{1,128}$/)
    .default('deviceportalweb'),
  identityPoolId: z.string().regex(/^[\w-]+:[0-9a-f-]{36}$/),
  /** Life of a session and of its refresh token, counted from sign-in. */
  sessionDurationMinutes: z.number().int().min(1).max(5_256_000),
  /** Life of id and access tokens; a session that ends earlier ends them too. */
  tokenLifetimeSeconds: z.number().int().min(60).max(86_400),
  /** Life of temporary credentials; a session that ends earlier ends them too. */
  credentialLifetimeSeconds: z.number().int().min(60).max(43_200),
  /** `off` lifts send and attempt limits for automated clients; the operator must refuse it in production. */
  limits: z.enum(['on', 'off']),
  /** Whether the identity pool gives identities and credentials to people who have not signed in. */
  guests: z.enum(['on', 'off']),
  /** LEGACY says that a user does not exist; ENABLED hides it (cognito.md, section 2). */
  userExistenceErrors: z.enum(['LEGACY', 'ENABLED']),
});

/** Everything that can be set, complete. */
export type IdentitySettings = z.output<typeof settingsSchema>;

/** What a caller must give: the issuer; the rest has defaults. */
export type IdentitySettingsInput = Pick<IdentitySettings, 'issuer'> & Partial<IdentitySettings>;

/**
 * Fills in the defaults and checks the values.
 * @throws z.ZodError with the path of each wrong value
 */
export function completeSettings(input: IdentitySettingsInput): IdentitySettings {
  const region = input.region ?? USER_POOL_REGION;
  const defaults = {
    region,
    userPoolId: `${region}_DevicePortal`,
    userPoolClientId: 'deviceportalweb',
    identityPoolId: `${region}:${DEFAULT_IDENTITY_POOL_UUID}`,
    sessionDurationMinutes: DEFAULT_SESSION_DURATION_MINUTES,
    tokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS,
    credentialLifetimeSeconds: 3_600,
    limits: 'on',
    guests: 'on',
    userExistenceErrors: 'LEGACY',
  } as const;
  return settingsSchema.parse({ ...defaults, ...withoutUndefined(input) });
}

function withoutUndefined(input: IdentitySettingsInput): Partial<IdentitySettings> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
