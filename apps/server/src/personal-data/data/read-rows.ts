import { sql, type SQL } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';

/** Rows of a table that belong to a person. */
export interface PersonRows {
  readonly table: PgTable;
  readonly where: SQL;
}

const ROWS_AT_ONCE = 500;
let cursors = 0;

export const tableNameOf = (table: PgTable): string => getTableConfig(table).name;

/** Reads the rows as JSON in pages with a cursor, without secret columns. */
export async function* readRows(
  tx: Transaction,
  { table, where }: PersonRows,
  secret: readonly PgColumn[],
): AsyncGenerator<readonly unknown[]> {
  const hidden = secret.filter((column) => column.table === table).map(({ name }) => name);
  const cursor = sql.identifier(`person_rows_${(cursors += 1)}`);
  await tx.execute(sql`
    declare ${cursor} no scroll cursor for
    select to_jsonb(${table}) - ${sql.raw(literalArray(hidden))} as row from ${table} where ${where}`);
  for (;;) {
    const { rows } = await tx.execute<{ row: unknown }>(
      sql`fetch ${sql.raw(String(ROWS_AT_ONCE))} from ${cursor}`,
    );
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < ROWS_AT_ONCE) break;
  }
  await tx.execute(sql`close ${cursor}`);
}

/** Column names are from the schema, never from input. */
const literalArray = (names: readonly string[]): string =>
  `array[${names.map((name) => `'${name}'`).join(', ')}]::text[]`;
