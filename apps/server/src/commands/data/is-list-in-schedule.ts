import { exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { runSchedule } from './commands-tables.ts';

/** Whether a schedule targets a list of serial numbers. */
export const isListInSchedule = (listId: SQLWrapper): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: runSchedule.id })
      .from(runSchedule)
      .where(sql`${runSchedule.target} -> 'filter' ->> 'targetListId' = ${listId}::text`),
  );
