import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  pgView,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AccessGrantEnd } from '@deviceportal/contract/access-grants';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import type { AccessGrantState, UserStatus } from '@deviceportal/contract/states';
import { sql } from 'drizzle-orm';
import { moment, portalNow } from '../../platform/columns.ts';

/** A set of permissions and a scope. */
export const role = pgTable(
  'role',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    description: text().notNull().default(''),
    permissions: jsonb().$type<readonly Permission[]>().notNull(),
    scope: jsonb().$type<Scope>().notNull(),
    builtin: boolean().notNull().default(false),
    createdAt: moment('created_at').notNull().default(portalNow),
    updatedAt: moment('updated_at').notNull().default(portalNow),
  },
  (table) => [uniqueIndex('role_by_name').on(sql`lower(${table.name})`)],
);

/** A user who signs in. The user pool owns identity and groups; roles and status are stored here. */
export const portalUser = pgTable(
  'portal_user',
  {
    id: uuid().primaryKey(),
    /** The user pool's `sub`. */
    subject: text().notNull().unique(),
    username: text().notNull(),
    email: text(),
    phone: text(),
    /** When an address replaced the first one; a trigger sets it. */
    emailChangedAt: moment('email_changed_at'),
    phoneChangedAt: moment('phone_changed_at'),
    name: text().notNull(),
    status: text().$type<UserStatus>().notNull().default('Activated'),
    preferences: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** Group membership at the last call. Members have the administrator role without an entry in `user_role`. */
    inAdminGroup: boolean('in_admin_group').notNull().default(false),
    /** When an administrator admitted them; null for users who only signed in at the identity provider. */
    admittedAt: moment('admitted_at'),
    lastSignInAt: moment('last_sign_in_at'),
    createdAt: moment('created_at').notNull().default(portalNow),
    /** Note of the invitation. */
    note: text().notNull().default(''),
    /** When the personal data were erased; a trigger rejects new ones. */
    erasedAt: moment('erased_at'),
  },
  (table) => [
    index('portal_user_by_username').on(sql`lower(${table.username})`, table.id),
    index('portal_user_by_last_sign_in').on(
      sql`coalesce(${table.lastSignInAt}, '-infinity'::timestamptz)`,
      table.id,
    ),
    index('portal_user_by_age').on(table.createdAt, table.id),
  ],
);

/** What a user was called before, so that an erasure finds rows that name them so. A trigger adds it. */
export const userFormerName = pgTable(
  'user_former_name',
  { userId: uuid('user_id').notNull(), name: text().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
);

export const userRole = pgTable(
  'user_role',
  { userId: uuid('user_id').notNull(), roleId: uuid('role_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.roleId] }),
    index('user_role_by_role').on(table.roleId),
  ],
);

/** A request for temporary access, or temporary access in effect. */
export const accessGrant = pgTable(
  'access_grant',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').notNull(),
    roleId: uuid('role_id').notNull(),
    roleName: text('role_name').notNull(),
    /** Permissions of the role when the access was granted: a later change of the role ends the access. */
    permissions: jsonb().$type<readonly Permission[]>().notNull(),
    scope: jsonb().$type<Scope>().notNull(),
    reason: text().notNull(),
    minutes: integer().notNull(),
    caseId: uuid('case_id'),
    state: text().$type<AccessGrantState>().notNull(),
    askedAt: moment('asked_at').notNull(),
    decidedAt: moment('decided_at'),
    decidedBy: text('decided_by'),
    note: text().notNull().default(''),
    endsAt: moment('ends_at'),
    endedAt: moment('ended_at'),
    endedBy: text('ended_by'),
    endReason: text('end_reason').$type<AccessGrantEnd>(),
  },
  (table) => [
    uniqueIndex('access_grant_open')
      .on(table.userId, table.roleId)
      .where(sql`${table.state} in ('waiting', 'running')`),
    index('access_grant_by_time').on(table.askedAt, table.id),
    index('access_grant_of_user').on(table.userId, table.askedAt, table.id),
  ],
);

/** All roles that a user has now: permanent and temporary ones. */
export const heldGrant = pgView('held_grant', {
  userId: uuid('user_id').notNull(),
  roleId: uuid('role_id').notNull(),
  name: text().notNull(),
  builtin: boolean().notNull(),
  permissions: jsonb().$type<readonly Permission[]>().notNull(),
  scope: jsonb().$type<Scope>().notNull(),
  /** Null for a permanent role. */
  accessGrantId: uuid('access_grant_id'),
  until: moment('until'),
}).existing();
