import { withoutServiceNames } from '@deviceportal/contract/service-actor-name';
import { and, asc, eq, gt, inArray, isNull, ne, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { newId } from '@deviceportal/contract/ids';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { setExcluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { recordsOf } from '../../platform/database/records-of.ts';
import { portalUser, role, userRole } from './access-tables.ts';
import { isAdministratorRole } from './current-grants.ts';
import { excludedFacts, type UserFacts } from './user-queries.ts';

type PortalUser = typeof portalUser.$inferSelect;

export async function listSubjects(
  on: Executor,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await on
    .select({ subject: portalUser.subject })
    .from(portalUser)
    .where(gt(portalUser.subject, after ?? ''))
    .orderBy(asc(portalUser.subject))
    .limit(limit);
  return rows.map(({ subject }) => subject);
}

/** Inserts users of the user pool, or updates their attributes. */
export async function upsertUsers(tx: Transaction, users: readonly UserFacts[]): Promise<void> {
  const { username, email, phone, name } = excludedFacts;
  const { columns, values, records } = recordsOf(
    portalUser,
    JSON.stringify(users.map((user) => ({ ...withoutServiceNames(user), id: newId() }))),
    ['id', 'subject', 'username', 'email', 'phone', 'name'],
  );
  await tx.execute(sql`
    insert into ${portalUser} (${columns}) select ${values} from ${records}
    on conflict (${sql.identifier(portalUser.subject.name)})
    do update set ${setExcluded(portalUser, ['username', 'email', 'phone', 'name'])}
    where (${portalUser.username}, ${portalUser.email}, ${portalUser.phone}, ${portalUser.name})
      is distinct from (${username}, ${email}, ${phone}, ${name})`);
}

export async function admitUsers(tx: Transaction, subjects: readonly string[]): Promise<void> {
  await tx
    .update(portalUser)
    .set({ admittedAt: portalNow })
    .where(and(isAnyOf(portalUser.subject, subjects), isNull(portalUser.admittedAt)));
}

/** Users whose status differs between portal and user pool. */
export async function findUnsyncedUsers(
  tx: Transaction,
  pool: { readonly enabled: readonly string[]; readonly disabled: readonly string[] },
): Promise<Pick<PortalUser, 'id' | 'subject' | 'username'>[]> {
  return tx
    .select({ id: portalUser.id, subject: portalUser.subject, username: portalUser.username })
    .from(portalUser)
    .where(
      or(
        and(eq(portalUser.status, 'Activated'), isAnyOf(portalUser.subject, pool.disabled)),
        and(eq(portalUser.status, 'Suspended'), isAnyOf(portalUser.subject, pool.enabled)),
      ),
    );
}

/** @returns the previous status; undefined if it is unchanged or the user has resigned */
export async function syncStatus(
  tx: Transaction,
  userId: string,
  status: 'Activated' | 'Suspended',
): Promise<PortalUser['status'] | undefined> {
  const before = alias(portalUser, 'before');
  const [changed] = await tx
    .update(portalUser)
    .set({ status })
    .from(before)
    .where(
      and(
        eq(portalUser.id, userId),
        eq(before.id, portalUser.id),
        inArray(before.status, ['Activated', 'Suspended']),
        ne(before.status, status),
      ),
    )
    .returning({ from: before.status });
  return changed?.from;
}

/**
 * Assigns the administrator role to members of its group.
 * @returns the names of those who did not have it
 */
export async function addAdministrators(
  tx: Transaction,
  members: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .insert(userRole)
    .select(
      tx
        .select({ userId: portalUser.id, roleId: role.id })
        .from(portalUser)
        .innerJoin(role, isAdministratorRole)
        .where(
          and(
            inArray(portalUser.status, ['Activated', 'Suspended']),
            isAnyOf(portalUser.subject, members),
          ),
        ),
    )
    .onConflictDoNothing()
    .returning({ userId: userRole.userId });
  return usernamesOf(tx, rows);
}

/**
 * Removes the administrator role from users who are not members.
 * @returns their names
 */
export async function removeAdministrators(
  tx: Transaction,
  members: readonly string[],
): Promise<string[]> {
  const administrator = tx.select({ id: role.id }).from(role).where(isAdministratorRole);
  const others = tx
    .select({ id: portalUser.id })
    .from(portalUser)
    .where(not(isAnyOf(portalUser.subject, members)));
  const rows = await tx
    .delete(userRole)
    .where(and(inArray(userRole.roleId, administrator), inArray(userRole.userId, others)))
    .returning({ userId: userRole.userId });
  return usernamesOf(tx, rows);
}

async function usernamesOf(
  tx: Transaction,
  users: readonly { readonly userId: string }[],
): Promise<string[]> {
  if (users.length === 0) return [];
  const ids = users.map(({ userId }) => userId);
  const rows = await tx
    .select({ username: portalUser.username })
    .from(portalUser)
    .where(isAnyOf(portalUser.id, ids));
  return rows.map(({ username }) => username);
}

/** Stores which users are members of the administrator group. */
export async function setAdminGroup(tx: Transaction, members: readonly string[]): Promise<void> {
  const isMember = sql<boolean>`(${isAnyOf(portalUser.subject, members)})`;
  await tx
    .update(portalUser)
    .set({ inAdminGroup: isMember })
    .where(ne(portalUser.inAdminGroup, isMember));
}
