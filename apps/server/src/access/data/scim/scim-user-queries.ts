import { and, asc, count, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm';
import { PortalError } from '@deviceportal/contract/errors';
import type { UserStatus } from '@deviceportal/contract/states';
import { portalClock } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { jsonArray, jsonObject } from '../../../platform/database/json-rows.ts';
import { portalUser, role, userRole } from '../access-tables.ts';
import { scimUser, type StoredProfile } from '../scim-tables.ts';

/** A user as a directory sees them: from the portal, and what the directory has sent. */
export interface DirectoryUser {
  readonly id: string;
  readonly subject: string;
  readonly username: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly name: string;
  readonly status: UserStatus;
  readonly roles: readonly { readonly id: string; readonly name: string }[];
  readonly createdAt: Date;
  /** Null until a directory changes the user. */
  readonly stored: {
    readonly externalId: string | null;
    readonly profile: StoredProfile;
    readonly isEnded: boolean;
    readonly isDeleted: boolean;
    readonly changedAt: Date;
  } | null;
}

/** Conditions of a list, which all must match. Texts are compared without case, except external IDs. */
export interface DirectoryUserFilter {
  readonly id?: string;
  readonly userName?: string;
  readonly externalId?: string;
  readonly email?: string;
  readonly displayName?: string;
  readonly active?: boolean;
}

const columns = {
  id: portalUser.id,
  subject: portalUser.subject,
  username: portalUser.username,
  email: portalUser.email,
  phone: portalUser.phone,
  name: portalUser.name,
  status: portalUser.status,
  createdAt: portalUser.createdAt,
  externalId: scimUser.externalId,
  profile: scimUser.profile,
  isEnded: scimUser.isEnded,
  deletedAt: scimUser.deletedAt,
  changedAt: scimUser.changedAt,
  roles: jsonArray(jsonObject({ id: role.id, name: role.name }), {
    orderBy: role.name,
    filter: isNotNull(role.id),
  }),
};

const select = (on: Executor) =>
  on
    .select(columns)
    .from(portalUser)
    .leftJoin(scimUser, eq(scimUser.userId, portalUser.id))
    .leftJoin(userRole, eq(userRole.userId, portalUser.id))
    .leftJoin(role, eq(role.id, userRole.roleId));

type Row = Awaited<ReturnType<typeof select>>[number];

const toUser = ({
  externalId,
  profile,
  isEnded,
  deletedAt,
  changedAt,
  ...user
}: Row): DirectoryUser => ({
  ...user,
  stored:
    profile === null || changedAt === null
      ? null
      : {
          externalId,
          profile,
          isEnded: isEnded === true,
          isDeleted: deletedAt !== null,
          changedAt,
        },
});

/** Users that are neither deleted by a directory nor erased. */
const isListed = and(isNull(portalUser.erasedAt), isNull(scimUser.deletedAt));

const same = (column: SQL | typeof portalUser.username, text: string): SQL =>
  sql`lower(${column}) = lower(${text})`;

const conditionOf = (filter: DirectoryUserFilter): SQL | undefined =>
  and(
    isListed,
    filter.id === undefined ? undefined : sql`${portalUser.id}::text = lower(${filter.id})`,
    filter.userName === undefined ? undefined : same(portalUser.username, filter.userName),
    filter.externalId === undefined ? undefined : eq(scimUser.externalId, filter.externalId),
    filter.email === undefined ? undefined : same(sql`${portalUser.email}`, filter.email),
    filter.displayName === undefined
      ? undefined
      : same(sql`${portalUser.name}`, filter.displayName),
    filter.active === undefined
      ? undefined
      : sql`(${eq(portalUser.status, 'Activated')}) = ${filter.active}`,
  );

export async function listDirectoryUsers(
  on: Executor,
  page: { readonly filter: DirectoryUserFilter; readonly offset: number; readonly limit: number },
): Promise<{ readonly users: DirectoryUser[]; readonly total: number }> {
  const condition = conditionOf(page.filter);
  const [rows, [counted]] = await Promise.all([
    select(on)
      .where(condition)
      .groupBy(portalUser.id, scimUser.userId)
      .orderBy(asc(portalUser.createdAt), asc(portalUser.id))
      .offset(page.offset)
      .limit(page.limit),
    on
      .select({ users: count() })
      .from(portalUser)
      .leftJoin(scimUser, eq(scimUser.userId, portalUser.id))
      .where(condition),
  ]);
  return { users: rows.map(toUser), total: counted?.users ?? 0 };
}

/** @throws PortalError 2003 if the user does not exist, or a directory has deleted the user */
export async function requireDirectoryUser(on: Executor, id: string): Promise<DirectoryUser> {
  const [row] = await select(on).where(conditionOf({ id })).groupBy(portalUser.id, scimUser.userId);
  if (row === undefined) throw new PortalError('notFound', { facts: { id } });
  return toUser(row);
}

/** The user with this name, including a user that a directory deleted. */
export async function findByUserName(
  on: Executor,
  userName: string,
): Promise<DirectoryUser | undefined> {
  const [row] = await select(on)
    .where(and(isNull(portalUser.erasedAt), same(portalUser.username, userName)))
    .groupBy(portalUser.id, scimUser.userId);
  return row && toUser(row);
}

/** IDs of those that exist and that a directory sees. */
export async function findListedIds(on: Executor, ids: readonly string[]): Promise<string[]> {
  const rows = await on
    .select({ id: portalUser.id })
    .from(portalUser)
    .leftJoin(scimUser, eq(scimUser.userId, portalUser.id))
    .where(and(isListed, isAnyOf(portalUser.id, ids)));
  return rows.map(({ id }) => id);
}

export interface StoredScimUser {
  readonly userId: string;
  readonly connectionId: string;
  readonly externalId: string | null;
  readonly profile: StoredProfile;
  readonly isEnded: boolean;
  readonly isDeleted: boolean;
}

export async function storeScimUser(tx: Transaction, user: StoredScimUser): Promise<void> {
  const { userId, connectionId, externalId, profile, isEnded, isDeleted } = user;
  const values = {
    connectionId,
    externalId,
    profile,
    isEnded,
    changedAt: portalClock,
    deletedAt: isDeleted ? portalClock : null,
  };
  await tx
    .insert(scimUser)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: scimUser.userId, set: values });
}

/** Whether another user has this ID in the directory. */
export async function isExternalIdTaken(
  tx: Transaction,
  {
    connectionId,
    externalId,
    userId,
  }: Pick<StoredScimUser, 'connectionId' | 'userId'> & { readonly externalId: string },
): Promise<boolean> {
  const rows = await tx
    .select({ userId: scimUser.userId })
    .from(scimUser)
    .where(
      and(
        eq(scimUser.externalId, externalId),
        eq(scimUser.connectionId, connectionId),
        isNull(scimUser.deletedAt),
        or(sql`${scimUser.userId} <> ${userId}`),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
