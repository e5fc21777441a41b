import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { accessGrant, portalUser, role, userFormerName } from './access-tables.ts';

export type UserToErase = Pick<
  typeof portalUser.$inferSelect,
  'id' | 'subject' | 'username' | 'email' | 'phone' | 'name' | 'status' | 'erasedAt'
>;

const erasable = {
  id: portalUser.id,
  subject: portalUser.subject,
  username: portalUser.username,
  email: portalUser.email,
  phone: portalUser.phone,
  name: portalUser.name,
  status: portalUser.status,
  erasedAt: portalUser.erasedAt,
};

export async function findUserToErase(on: Executor, id: string): Promise<UserToErase | undefined> {
  const [found] = await on.select(erasable).from(portalUser).where(eq(portalUser.id, id));
  return found;
}

/** Those of the users who are not erased. */
export async function findUsersToErase(
  on: Executor,
  ids: readonly string[],
): Promise<UserToErase[]> {
  if (ids.length === 0) return [];
  return on
    .select(erasable)
    .from(portalUser)
    .where(and(isAnyOf(portalUser.id, ids), isNull(portalUser.erasedAt)));
}

/** What a user was called before. */
export async function findFormerNames(on: Executor, id: string): Promise<string[]> {
  const rows = await on
    .select({ name: userFormerName.name })
    .from(userFormerName)
    .where(eq(userFormerName.userId, id));
  return rows.map(({ name }) => name);
}

/** Those of these names that another user, or a role, has as well. @param id of the user who is no other */
export async function findSharedNames(
  on: Executor,
  id: string | null,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const name = sql`shared.name`;
  const rows = await on
    .select({ name: sql<string>`${name}` })
    .from(sql`unnest(${sql.param([...names])}::text[]) as shared(name)`)
    .where(
      sql`exists (select from ${portalUser} where ${portalUser.id} is distinct from ${id}::uuid
          and ${name} in (${portalUser.username}, ${portalUser.name}, ${portalUser.email}, ${portalUser.phone}))
        or exists (select from ${role} where ${role.name} = ${name})`,
    );
  return rows.map((row) => row.name);
}

/** Serializes erasures of the same user. */
export async function lockUserToErase(
  tx: Transaction,
  id: string,
): Promise<UserToErase | undefined> {
  const [found] = await tx
    .select(erasable)
    .from(portalUser)
    .where(eq(portalUser.id, id))
    .for('update');
  return found;
}

/** Overwrites the personal data of a user. The row is kept, because other rows and the audit trail refer to its ID. */
export async function eraseUserRow(tx: Transaction, id: string, pseudonym: string): Promise<void> {
  await tx
    .update(portalUser)
    .set({
      username: pseudonym,
      name: pseudonym,
      email: null,
      phone: null,
      note: '',
      preferences: {},
      status: 'Archived',
      inAdminGroup: false,
      admittedAt: null,
      lastSignInAt: null,
      erasedAt: sql`${portalNow}`,
    })
    .where(eq(portalUser.id, id));
}

export async function findErasedUsers(on: Executor): Promise<{ id: string; at: Date | null }[]> {
  return on
    .select({ id: portalUser.id, at: portalUser.erasedAt })
    .from(portalUser)
    .where(isNotNull(portalUser.erasedAt))
    .orderBy(asc(portalUser.erasedAt), asc(portalUser.id));
}

/** A user's own row and the temporary access that they requested, for their record. */
export const ownRowsOf = (userId: string) => [
  { table: portalUser, where: eq(portalUser.id, userId) },
  { table: accessGrant, where: eq(accessGrant.userId, userId) },
];
