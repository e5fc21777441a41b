import { and, eq, inArray, isNotNull, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import { commandRun, runSchedule, runSignature } from './commands-tables.ts';

/**
 * Deletes signed statements of earlier releases that contain names: of ended runs, and of schedules whose user is
 * erased and which therefore no longer run. Such a run is treated like one from before runs were signed.
 */
export async function eraseSignedNames(
  tx: Transaction,
  userId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const has = (text: SQL): SQL | undefined =>
    or(...names.map((name) => sql`strpos(${text}, ${JSON.stringify(name)}) > 0`));
  const ended = new QueryBuilder()
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(and(eq(commandRun.createdById, userId), isNotNull(commandRun.endedAt)));
  await tx
    .delete(runSignature)
    .where(and(inArray(runSignature.runId, ended), has(sql`${runSignature.statement}`)));
  await tx
    .update(runSchedule)
    .set({ authorization: null })
    .where(
      and(
        eq(runSchedule.createdById, userId),
        has(sql`${runSchedule.authorization} ->> 'payload'`),
      ),
    );
}
