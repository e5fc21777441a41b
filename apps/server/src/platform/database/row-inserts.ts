import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { columnNames } from './column-names.ts';
import { rendered } from './rendered.ts';

/**
 * Statements that insert one whole row, for frequent ones: their text is built once. Values are encoded by the driver.
 */
export function rowInserts<Table extends PgTable>(
  table: Table,
): (row: Table['$inferSelect']) => SQL {
  const columns = Object.entries(getTableColumns(table) as Readonly<Record<string, PgColumn>>);
  const into = rendered(
    sql`insert into ${table} (${columnNames(...columns.map(([, column]) => column))})`,
  );
  return (row: Readonly<Record<string, unknown>>) =>
    sql`${into} values (${sql.join(
      columns.map(([key]) => sql.param(row[key])),
      sql`, `,
    )})`;
}
