import { and, eq, inArray, isNotNull, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import { commandRun, runSchedule, runSignature } from './commands-tables.ts';

/**
 * What was signed by a release that signed names: of runs that have ended, and of schedules, which fire no more without
 * a user behind them. Such a run counts as one of before runs were signed.
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
