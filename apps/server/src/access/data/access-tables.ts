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

/** A person who signs in. The user pool owns identity and groups; roles and status are ours. */
export const portalUser = pgTable(
  'portal_user',
  {
    id: uuid().primaryKey(),
    /** The user pool's `sub`. */
    subject: text().notNull().unique(),
    username: text().notNull(),
    email: text(),
    phone: text(),
    name: text().notNull(),
    status: text().$type<UserStatus>().notNull().default('Activated'),
    preferences: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** What the pool said at their last call: they hold the administrator's role without having been given it. */
    inAdminGroup: boolean('in_admin_group').notNull().default(false),
    /** When an administrator let them in; null for who only signed in at the provider. */
    admittedAt: moment('admitted_at'),
    lastSignInAt: moment('last_sign_in_at'),
    createdAt: moment('created_at').notNull().default(portalNow),
    /** What was written down with the invitation. */
    note: text().notNull().default(''),
    /** When everything that says who it is was taken out; a trigger keeps it out. */
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

export const userRole = pgTable(
  'user_role',
  { userId: uuid('user_id').notNull(), roleId: uuid('role_id').notNull() },
  (table) => [
    primaryKey({ columns: [table.userId, table.roleId] }),
    index('user_role_by_role').on(table.roleId),
  ],
);

/** A role that somebody asks for, or holds, for a time. */
export const accessGrant = pgTable(
  'access_grant',
  {
    id: uuid().primaryKey(),
    userId: uuid('user_id').notNull(),
    roleId: uuid('role_id').notNull(),
    roleName: text('role_name').notNull(),
    /** As the role was when it was given: what is changed about it later ends it. */
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

/** Every role that a user holds at this moment: those that were given to them, and those that they hold for a time. */
export const heldGrant = pgView('held_grant', {
  userId: uuid('user_id').notNull(),
  roleId: uuid('role_id').notNull(),
  name: text().notNull(),
  builtin: boolean().notNull(),
  permissions: jsonb().$type<readonly Permission[]>().notNull(),
  scope: jsonb().$type<Scope>().notNull(),
  /** Null for a role that was given for good. */
  accessGrantId: uuid('access_grant_id'),
  until: moment('until'),
}).existing();
