import { and, exists, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { airBlast } from './air-blast-tables.ts';

/** Whether a rollout that has not ended targets a list of serial numbers. */
export const isListInOpenRollout = (listId: SQLWrapper): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: airBlast.id })
      .from(airBlast)
      .where(
        and(
          isNull(airBlast.endedAt),
          sql`${airBlast.target} -> 'filter' ->> 'targetListId' = ${listId}::text`,
        ),
      ),
  );
