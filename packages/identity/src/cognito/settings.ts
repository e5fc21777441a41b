import {
  DEFAULT_SESSION_DURATION_MINUTES,
  TOKEN_LIFETIME_SECONDS,
  USER_POOL_REGION,
} from '@deviceportal/contract/constants';
import { z } from 'zod';
import { AUTHENTICATED_ROLE, UNAUTHENTICATED_ROLE } from './roles/builtin-roles.ts';
import { roleArn } from './roles/role-arn.ts';

const DEFAULT_ACCOUNT_ID = '000000000000';
const DEFAULT_IDENTITY_POOL_UUID = '6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10';

const roleSchema = z.object({
  policies: z.array(z.unknown()),
  trust: z.unknown(),
  maxSessionSeconds: z.number().int().min(900).max(43_200),
});

/** "Claim MatchType Value gives RoleArn", as the rules of an identity pool. */
const roleRuleSchema = z.object({
  claim: z.string().min(1).max(64),
  matchType: z.enum(['Equals', 'Contains', 'StartsWith', 'NotEqual']),
  value: z.string().min(1).max(128),
  roleArn: z.string().min(20).max(2_048),
});

export type RoleRule = z.output<typeof roleRuleSchema>;

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
  /** Whether every refresh gives a new refresh token; the older one then works for the grace time only. */
  refreshTokenRotation: z.boolean(),
  refreshTokenGraceSeconds: z.number().int().min(0).max(60),
  /** How long new signing keys are published before they sign. */
  keyOverlapSeconds: z.number().int().min(60).max(86_400),
  /** After how long signing keys are rotated by themselves. */
  keyMaxAgeDays: z.number().int().min(1).max(3_650),
  /** Life of temporary credentials; a session that ends earlier ends them too. */
  credentialLifetimeSeconds: z.number().int().min(60).max(43_200),
  /** `off` lifts send and attempt limits for automated clients; the operator must refuse it in production. */
  limits: z.enum(['on', 'off']),
  /** Whether the identity pool gives identities and credentials to people who have not signed in. */
  guests: z.enum(['on', 'off']),
  /** Whether tokens of ended sign-ins and disabled users are refused, as by ServerSideTokenCheck of a hosted pool. */
  serverSideTokenCheck: z.enum(['on', 'off']),
  /** The twelve digits in the ARNs of roles, users and pools. */
  accountId: z.string().regex(/^\d{12}$/),
  /** Roles in addition to, or in place of, the built-in ones, by name. */
  roles: z.record(z.string().regex(/^[\w+=,.@-]{1,64}$/), roleSchema),
  /** Which role the credentials of the identity pool carry. */
  identityPoolRoles: z.object({
    /** ARNs; null: the pool has no such role and refuses. */
    authenticated: z.string().nullable(),
    unauthenticated: z.string().nullable(),
    /** `token`: the role that the person's groups name in the id token; `rules`: the first rule that fits. */
    choice: z.enum(['default', 'token', 'rules']),
    /** Behavior if the token has several roles without a preferred one, or no rule matches. */
    ambiguous: z.enum(['authenticated', 'deny']),
    rules: z.array(roleRuleSchema).max(25),
  }),
  /** LEGACY reveals that a user does not exist; ENABLED hides it (cognito.md, section 2). */
  userExistenceErrors: z.enum(['LEGACY', 'ENABLED']),
});

/** Everything that can be set, complete. */
export type IdentitySettings = z.output<typeof settingsSchema>;

/** Required input: the issuer. All other settings have defaults. */
export type IdentitySettingsInput = Pick<IdentitySettings, 'issuer'> & Partial<IdentitySettings>;

/**
 * Fills in the defaults and checks the values.
 * @throws z.ZodError with the path of each wrong value
 */
export function completeSettings(input: IdentitySettingsInput): IdentitySettings {
  const region = input.region ?? USER_POOL_REGION;
  const accountId = input.accountId ?? DEFAULT_ACCOUNT_ID;
  const defaults = {
    region,
    userPoolId: `${region}_DevicePortal`,
    userPoolClientId: 'deviceportalweb',
    identityPoolId: `${region}:${DEFAULT_IDENTITY_POOL_UUID}`,
    sessionDurationMinutes: DEFAULT_SESSION_DURATION_MINUTES,
    tokenLifetimeSeconds: TOKEN_LIFETIME_SECONDS,
    refreshTokenRotation: false,
    refreshTokenGraceSeconds: 0,
    keyOverlapSeconds: 600,
    keyMaxAgeDays: 90,
    credentialLifetimeSeconds: 3_600,
    limits: 'on',
    guests: 'on',
    serverSideTokenCheck: 'on',
    userExistenceErrors: 'LEGACY',
    accountId,
    roles: {},
    identityPoolRoles: {
      authenticated: roleArn({ accountId, region }, AUTHENTICATED_ROLE),
      unauthenticated: roleArn({ accountId, region }, UNAUTHENTICATED_ROLE),
      choice: 'token',
      ambiguous: 'authenticated',
      rules: [],
    },
  } as const;
  return settingsSchema.parse({ ...defaults, ...withoutUndefined(input) });
}

function withoutUndefined(input: IdentitySettingsInput): Partial<IdentitySettings> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
