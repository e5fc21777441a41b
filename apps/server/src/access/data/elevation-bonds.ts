import { and, eq, exists, gt, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { ElevationBond } from '@deviceportal/contract/elevations';
import { portalClock } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { elevation } from './access-tables.ts';

const build = new QueryBuilder();
const isRunning = and(eq(elevation.state, 'running'), gt(elevation.endsAt, portalClock));

/** Whether what was made by temporary access is still in force; the column is null where lasting roles allowed it. */
export const elevationRuns = (column: SQLWrapper): SQL =>
  sql`(${column} is null or ${exists(
    build
      .select({ id: elevation.id })
      .from(elevation)
      .where(and(eq(elevation.id, column), isRunning)),
  )})`;

/** The bond of a row; the column, and then the bond, is null where lasting roles allowed it. */
export const bondOf = (column: SQLWrapper): SQL<ElevationBond | null> =>
  sql<ElevationBond | null>`(${build
    .select({
      bond: jsonObject({
        elevationId: elevation.id,
        role: elevation.roleName,
        endsAt: sql<string>`to_char(${elevation.endsAt} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      }),
    })
    .from(elevation)
    .where(eq(elevation.id, column))})`;

/** When temporary access ended; null while it runs, and where the column is null. */
export const elevationEnd = (column: SQLWrapper): SQL<string | null> =>
  sql<string | null>`(${build
    .select({ at: sql`coalesce(${elevation.endedAt}, ${elevation.endsAt})` })
    .from(elevation)
    .where(and(eq(elevation.id, column), sql`not ${elevationRuns(column)}`))})`;

/** Temporary access that still runs; it stays locked until the transaction ends, and so cannot end before that. */
export async function lockRunning(tx: Transaction, id: string) {
  const [found] = await tx
    .select({
      role: elevation.roleName,
      endsAt: sql<Date>`${elevation.endsAt}`.mapWith(elevation.endsAt),
    })
    .from(elevation)
    .where(and(eq(elevation.id, id), isRunning))
    .for('share');
  return found;
}

export async function isElevationRunning(on: Executor, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: elevation.id })
    .from(elevation)
    .where(and(sql`${elevation.id}::text = ${id}`, isRunning));
  return rows.length > 0;
}
