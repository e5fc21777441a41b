import { boolean, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { moment, portalNow } from '../../platform/columns.ts';

/** A directory outside the portal that creates, changes, and suspends users by SCIM, with its token. */
export const scimConnection = pgTable(
  'scim_connection',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** Roles whose members the directory decides. */
    roleIds: jsonb('role_ids').$type<readonly string[]>().notNull(),
    /** SHA-256 of the token, in hexadecimal. */
    tokenHash: text('token_hash').notNull(),
    /** The token before the last rotation, which is valid until `previousEndsAt`. */
    previousHash: text('previous_hash'),
    previousEndsAt: moment('previous_ends_at'),
    createdById: uuid('created_by_id').notNull(),
    createdAt: moment('created_at').notNull().default(portalNow),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    lastRequestAt: moment('last_request_at'),
    lastChangeAt: moment('last_change_at'),
    lastErrorAt: moment('last_error_at'),
    /** Status and kind of the last rejected request: `409 uniqueness`. */
    lastError: text('last_error'),
  },
  (table) => [
    uniqueIndex('scim_connection_by_token').on(table.tokenHash),
    index('scim_connection_by_previous_token').on(table.previousHash),
  ],
);

/** What a directory has sent about a user, besides what the portal and the user pool store. */
export const scimUser = pgTable(
  'scim_user',
  {
    userId: uuid('user_id').primaryKey(),
    connectionId: uuid('connection_id').notNull(),
    externalId: text('external_id'),
    profile: jsonb().$type<StoredProfile>().notNull(),
    /** Whether a directory ended the access. Only then can a directory restore it. */
    isEnded: boolean('is_ended').notNull().default(false),
    createdAt: moment('created_at').notNull().default(portalNow),
    changedAt: moment('changed_at').notNull().default(portalNow),
    /** When the directory deleted the user, who is kept here for the audit trail. */
    deletedAt: moment('deleted_at'),
  },
  (table) => [index('scim_user_by_external_id').on(table.externalId)],
);

/** The ID of a role in the directory. */
export const scimGroup = pgTable('scim_group', {
  roleId: uuid('role_id').primaryKey(),
  externalId: text('external_id'),
  changedAt: moment('changed_at').notNull().default(portalNow),
});

/** Attributes of a user in the form of RFC 7643, section 4.1. */
export interface StoredProfile {
  readonly name?: {
    readonly formatted?: string | undefined;
    readonly givenName?: string | undefined;
    readonly familyName?: string | undefined;
  };
  readonly displayName?: string | undefined;
  readonly emails?: readonly StoredAddress[];
  readonly phoneNumbers?: readonly StoredAddress[];
}

export interface StoredAddress {
  readonly value: string;
  readonly type?: string | undefined;
  readonly primary?: boolean | undefined;
}
