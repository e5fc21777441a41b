import { and, count, eq, inArray, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { RowWalk } from '../../personal-data/tables-of-users.ts';
import type { Executor } from '../../platform/database/database.ts';
import { authorNamed } from './author-named.ts';
import { commandRun, runSchedule, runSignature } from './commands-tables.ts';

/**
 * Deletes signed statements of earlier releases that contain names: of ended runs. Such a run is treated like one from
 * before runs were signed. Devices need the statements of the other runs.
 */
export const runSignatureWalk = (userId: string): RowWalk => ({
  table: runSignature,
  matches: sql`${inArray(runSignature.runId, runsOf(userId, isNotNull(commandRun.endedAt)))}
    and ${authorNamed(sql`${runSignature.statement}`)}`,
});

/** The same for schedules: the user is erased, and they no longer run. */
export const scheduleAuthorizationWalk = (userId: string): RowWalk => ({
  table: runSchedule,
  matches: sql`${eq(runSchedule.createdById, userId)}
    and ${authorNamed(sql`${runSchedule.authorization} ->> 'payload'`)}`,
  set: [[runSchedule.authorization, sql`null`]],
});

/** Runs that have not ended, and whose statements contain the name of the user. */
export async function countNamedRuns(on: Executor, userId: string): Promise<number> {
  const [found] = await on
    .select({ runs: count() })
    .from(runSignature)
    .where(
      and(
        inArray(runSignature.runId, runsOf(userId, isNull(commandRun.endedAt))),
        authorNamed(sql`${runSignature.statement}`),
      ),
    );
  return found?.runs ?? 0;
}

const runsOf = (userId: string, which: SQL) =>
  new QueryBuilder()
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(and(eq(commandRun.createdById, userId), which));
