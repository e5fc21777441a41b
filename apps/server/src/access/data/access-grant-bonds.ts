import { and, eq, exists, gt, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { accessGrant } from './access-tables.ts';

const build = new QueryBuilder();
const isRunning = and(eq(accessGrant.state, 'running'), gt(accessGrant.endsAt, portalClock));

/**
 * Whether something created by means of temporary access is still in force. The column is null if permanent roles
 * allowed it.
 */
export const accessGrantRuns = (column: SQLWrapper): SQL =>
  sql`(${column} is null or ${exists(
    build
      .select({ id: accessGrant.id })
      .from(accessGrant)
      .where(and(eq(accessGrant.id, column), isRunning)),
  )})`;

/** The temporary access that a row depends on; null if permanent roles allowed it. */
export const bondOf = (column: SQLWrapper): SQL<AccessGrantBond | null> =>
  sql<AccessGrantBond | null>`(${build
    .select({
      bond: jsonObject({
        accessGrantId: accessGrant.id,
        role: accessGrant.roleName,
        endsAt: sql<string>`to_char(${accessGrant.endsAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      }),
    })
    .from(accessGrant)
    .where(eq(accessGrant.id, column))})`;

/** When temporary access ended; null if it is in effect or the column is null. */
export const accessGrantEnd = (column: SQLWrapper): SQL<string | null> =>
  sql<string | null>`(${build
    .select({ at: sql`coalesce(${accessGrant.endedAt}, ${accessGrant.endsAt})` })
    .from(accessGrant)
    .where(and(eq(accessGrant.id, column), sql`not ${accessGrantRuns(column)}`))})`;

/** Temporary access in effect, locked until the transaction ends so that it cannot end before that. */
export async function lockRunning(tx: Transaction, id: string) {
  const [found] = await tx
    .select({
      role: accessGrant.roleName,
      endsAt: sql<Date>`${accessGrant.endsAt}`.mapWith(accessGrant.endsAt),
    })
    .from(accessGrant)
    .where(and(eq(accessGrant.id, id), isRunning))
    .for('share');
  return found;
}

export async function isAccessGrantRunning(on: Executor, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: accessGrant.id })
    .from(accessGrant)
    .where(and(sql`${accessGrant.id}::text = ${id}`, isRunning));
  return rows.length > 0;
}

/** Those of the temporary accesses that are in effect. */
export async function findRunningAccessGrants(
  on: Executor,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await on
    .select({ id: accessGrant.id })
    .from(accessGrant)
    .where(and(isAnyOf(accessGrant.id, ids), isRunning));
  return new Set(rows.map(({ id }) => id));
}
