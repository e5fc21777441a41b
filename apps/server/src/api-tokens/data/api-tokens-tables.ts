import type { ApiTokenKind, NewPersonalToken } from '@deviceportal/contract/api-tokens';
import type { Grant, Permission, Scope } from '@deviceportal/contract/permissions';
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/** A token for `/api/v1`. */
export const apiToken = pgTable(
  'api_token',
  {
    id: uuid().primaryKey(),
    kind: text().$type<ApiTokenKind>().notNull(),
    name: text().notNull(),
    /** SHA-256 of the token, in hexadecimal. */
    tokenHash: text('token_hash').notNull(),
    /** The user as whom a personal token acts; null for a service token. */
    ownerId: uuid('owner_id'),
    createdById: uuid('created_by_id').notNull(),
    /** Of a personal token, within the current permissions of its owner. */
    permissions: jsonb().$type<readonly Permission[]>().notNull(),
    scope: jsonb().$type<Scope>().notNull(),
    /** Of a service token. */
    roleIds: jsonb('role_ids').$type<readonly string[]>().notNull(),
    /** Of a service token: what its roles, by ID, allowed at its creation. They can lose permissions, but not gain any. */
    roleGrants: jsonb('role_grants').$type<Readonly<Record<string, Grant>>>().notNull().default({}),
    createdAt: moment('created_at').notNull().default(portalNow),
    expiresAt: moment('expires_at').notNull(),
    /** To the minute. */
    lastUsedAt: moment('last_used_at'),
    /** An IPv4 address, or the /64 of an IPv6 address. */
    lastUsedAddress: text('last_used_address'),
    revokedAt: moment('revoked_at'),
    /**
     * When the owner, or the creator of a service token, lost access to the portal; a trigger sets it. Restoring the user
     * does not restore the token.
     */
    ownerLeftAt: moment('owner_left_at'),
  },
  (table) => [
    uniqueIndex('api_token_by_hash').on(table.tokenHash),
    index('api_token_of_owner')
      .on(table.ownerId)
      .where(sql`${table.ownerId} is not null`),
    index('api_token_of_service_by_creator')
      .on(table.createdById)
      .where(sql`${table.kind} = 'service'`),
    index('api_token_by_age').on(table.createdAt, table.id),
  ],
);

/** Addresses from which a token was used; the first use from each is in the audit trail. */
export const apiTokenAddress = pgTable(
  'api_token_address',
  {
    tokenId: uuid('token_id').notNull(),
    /** An IPv4 address, or the /64 of an IPv6 address. */
    address: text().notNull(),
    ownerId: uuid('owner_id'),
    firstUsedAt: moment('first_used_at').notNull().default(portalNow),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.address] }),
    index('api_token_address_of_owner')
      .on(table.ownerId)
      .where(sql`${table.ownerId} is not null`),
  ],
);

/** Idempotency keys of requests, so that a repeated request is recognized, and another one is rejected. */
export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    tokenId: uuid('token_id').notNull(),
    key: text().notNull(),
    /** HMAC-SHA-256 of operation, parameters, and body: these can contain secrets that a plain hash would reveal. */
    requestHmac: text('request_hmac').notNull(),
    isDone: boolean('is_done').notNull().default(false),
    at: moment('at').notNull().default(portalNow),
  },
  (table) => [
    primaryKey({ columns: [table.tokenId, table.key] }),
    index('idempotency_key_by_age').on(table.at),
  ],
);

/** Sign-ins of applications that a user approves by a code (RFC 8628). Deleted soon after they expire. */
export const deviceAuthorization = pgTable(
  'device_authorization',
  {
    id: uuid().primaryKey(),
    /** SHA-256 of the device code, in hexadecimal. */
    deviceCodeHash: text('device_code_hash').notNull(),
    /** Identifies the row on screen. It is no secret: only the session of a user can approve. */
    userCode: text('user_code').notNull(),
    /** As the application calls itself. */
    clientId: text('client_id').notNull(),
    requestedPermissions: jsonb('requested_permissions').$type<readonly Permission[]>().notNull(),
    /** Of the application. */
    address: text().notNull(),
    /** An IPv4 address, or the /64 of an IPv6 address. */
    addressBucket: text('address_bucket').notNull(),
    state: text()
      .$type<'pending' | 'approved' | 'denied' | 'collected'>()
      .notNull()
      .default('pending'),
    createdAt: moment('created_at').notNull().default(portalNow),
    expiresAt: moment('expires_at').notNull(),
    /** Least time between two requests for the token; extended if the application asks too often. */
    intervalSeconds: integer('interval_seconds').notNull(),
    lastAskedAt: moment('last_asked_at'),
    /** The user who approved or denied. */
    decidedById: uuid('decided_by_id'),
    /** What was approved. */
    approved: jsonb().$type<NewPersonalToken>(),
    /** The token that was collected. */
    tokenId: uuid('token_id'),
  },
  (table) => [
    uniqueIndex('device_authorization_by_device_code').on(table.deviceCodeHash),
    uniqueIndex('device_authorization_by_user_code').on(table.userCode),
    index('device_authorization_by_expiry').on(table.expiresAt),
    index('device_authorization_of_user')
      .on(table.decidedById)
      .where(sql`${table.decidedById} is not null`),
  ],
);

/** Incorrect user codes of a user, and of an address, within the lock time. */
export const userCodeFailure = pgTable(
  'user_code_failure',
  {
    /** `user` with the ID, or `address` with the bucket of the address. */
    source: text().primaryKey(),
    userId: uuid('user_id'),
    failures: integer().notNull(),
    until: moment('until').notNull(),
  },
  (table) => [
    index('user_code_failure_of_user')
      .on(table.userId)
      .where(sql`${table.userId} is not null`),
    index('user_code_failure_by_time').on(table.until),
  ],
);
