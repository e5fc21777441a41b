import { exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { alertRule } from './alerts-tables.ts';

/** Whether an alert rule watches the devices of a list of serial numbers. */
export const isListInAlertRule = (listId: SQLWrapper): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: alertRule.id })
      .from(alertRule)
      .where(sql`${alertRule.filter} ->> 'targetListId' = ${listId}::text`),
  );
