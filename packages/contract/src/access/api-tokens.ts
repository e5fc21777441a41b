import { z } from 'zod';
import { idSchema } from '../ids.ts';
import { nameSchema } from '../name-schema.ts';
import type { Page, Timestamp } from '../pages.ts';
import { cursorSchema, pageSizeSchema } from '../pages.ts';
import { permissionSchema, scopeSchema } from './access.ts';
import type { Permission, PlainPermission, Scope } from './permissions.ts';

/** Lifetime of a token in days. The installation can lower the default of the longest, and raise it to `limit`. */
export const API_TOKEN_DAYS = { least: 1, usual: 30, most: 90, limit: 365 } as const;

/** From then on, the screens warn that a token expires. */
export const API_TOKEN_WARN_DAYS = 7;

/** `personal`: acts as its owner. `service`: acts for an application, with roles of its own. */
export const apiTokenKinds = ['personal', 'service'] as const;
export type ApiTokenKind = (typeof apiTokenKinds)[number];

/** Where tokens are valid. */
export const PUBLIC_API_PATH = '/api/v1';

/** What `/api/v1` can do. A token never has other permissions, whatever its owner or its roles have. */
export const apiTokenPermissions = [
  'devices:read',
  'devices:manage',
  'files:read',
  'people:read',
  'commands:read',
  'documents:read',
  'versions:read',
  'cases:read',
  'cases:manage',
  'alerts:read',
  'audit-trail:read',
  'webhooks:manage',
] as const satisfies readonly PlainPermission[];

/** Commands that destroy require a second step, which an application cannot perform. */
export function mayHoldByToken(permission: Permission): boolean {
  if (permission === 'commands:run:@destroys') return false;
  return (
    permission.startsWith('commands:run:') ||
    apiTokenPermissions.some((each) => each === permission)
  );
}

export const apiTokenStates = ['active', 'expired', 'revoked', 'owner-inactive'] as const;
export type ApiTokenState = (typeof apiTokenStates)[number];

export interface ApiTokenRow {
  readonly id: string;
  readonly kind: ApiTokenKind;
  readonly name: string;
  /** Null for a service token, and if the user was erased. */
  readonly owner: { readonly id: string; readonly username: string } | null;
  /** Username; null if the user was erased. */
  readonly createdBy: string | null;
  /** Of a personal token; the current permissions of its owner limit them. Empty for a service token. */
  readonly permissions: readonly Permission[];
  /** Of a personal token, within the scopes of its owner. */
  readonly scope: Scope;
  /** Of a service token; roles that were deleted since are left out. */
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** To the minute. */
  readonly lastUsedAt: Timestamp | null;
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly lastUsedAddress: string | null;
  readonly state: ApiTokenState;
  readonly endedAt: Timestamp | null;
}

export interface OwnApiTokens {
  readonly tokens: readonly ApiTokenRow[];
  readonly mostDays: number;
}

export interface ApiTokenPage extends Page<ApiTokenRow> {
  readonly mostDays: number;
}

/** The token is not stored and cannot be shown again. */
export interface NewApiToken {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Timestamp;
}

const common = z.object({
  name: nameSchema({ max: 64 }),
  days: z.int().min(API_TOKEN_DAYS.least).max(API_TOKEN_DAYS.limit).default(API_TOKEN_DAYS.usual),
});

export const createPersonalTokenInput = common.extend({
  permissions: z
    .array(permissionSchema.refine(mayHoldByToken, 'is not available to API tokens'))
    .min(1)
    .max(200),
  scope: scopeSchema.prefault({}),
});
export type NewPersonalToken = z.output<typeof createPersonalTokenInput>;

export const createServiceTokenInput = common.extend({
  roleIds: z.array(idSchema).min(1).max(20),
});
export type NewServiceToken = z.output<typeof createServiceTokenInput>;

export const apiTokenReference = z.object({ id: idSchema });

export const listApiTokensInput = z.object({
  /** Without ended ones. */
  active: z.boolean().default(true),
  cursor: cursorSchema,
  pageSize: pageSizeSchema,
});
export type ApiTokenList = z.output<typeof listApiTokensInput>;
