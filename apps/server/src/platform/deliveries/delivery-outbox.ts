import { and, asc, eq, isNull, lte, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Executor } from '../database/database.ts';

export type DeliveryState = 'waiting' | 'sending' | 'delivered' | 'failed';

/** A table of messages to systems outside, written in the transaction of what they report. */
export type DeliveryTable = PgTable & {
  readonly [Name in 'id' | 'state' | 'attempts' | 'freeAt' | 'lastError' | 'endedAt']: PgColumn;
};

export interface Attempt {
  readonly id: string;
  readonly attempts: number;
}

export interface AttemptEnd {
  readonly state: DeliveryState;
  readonly lastError: string | null;
  readonly freeAt?: Date;
  readonly endedAt?: Date;
}

/**
 * @param line of the deliveries that are sent one after the other
 * @param isAllowed which deliveries may be sent at present; default: all
 */
export function deliveryOutbox<Table extends DeliveryTable>(
  table: Table,
  line: readonly PgColumn[],
  isAllowed: SQL = sql`true`,
) {
  const { id, state, attempts, freeAt, endedAt } = table;
  const name = (column: PgColumn) => sql.identifier(column.name);
  const inLine = sql.join(
    line.map((column) => sql`earlier.${name(column)} = ${column}`),
    sql` and `,
  );
  return {
    /**
     * Claims deliveries that are due for one attempt each. Of a line, only the earliest one that has not ended is
     * claimed, so that a receiver learns of the end after the start.
     */
    async claim(
      on: Executor,
      due: { readonly now: Date; readonly until: Date; readonly limit: number },
    ): Promise<Table['$inferSelect'][]> {
      const ids = on
        .select({ id })
        .from(table as PgTable)
        .where(
          and(
            isNull(endedAt),
            lte(freeAt, due.now),
            isAllowed,
            sql`not exists (select from ${table} earlier
              where ${inLine} and earlier.${name(endedAt)} is null and earlier.${name(id)} < ${id})`,
          ),
        )
        .orderBy(asc(freeAt))
        .limit(due.limit)
        .for('update', { skipLocked: true });
      const claimed = await on
        .update(table as PgTable)
        .set({ state: 'sending', attempts: sql`${attempts} + 1`, freeAt: due.until } as never)
        .where(sql`${id} = any(array(${ids}))`)
        .returning();
      return claimed as Table['$inferSelect'][];
    },
    /** The end of an attempt. @returns false if another attempt has overtaken it */
    async end(
      on: Executor,
      attempt: Attempt,
      set: AttemptEnd & Partial<Table['$inferSelect']>,
    ): Promise<boolean> {
      const { rowCount } = await on
        .update(table as PgTable)
        .set(set as never)
        .where(and(eq(id, attempt.id), eq(attempts, attempt.attempts), eq(state, 'sending')));
      return rowCount === 1;
    },
  };
}
