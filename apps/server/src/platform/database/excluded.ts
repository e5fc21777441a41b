import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** The conflicting value of `insert … on conflict`. */
export const excluded = ({ name }: PgColumn): SQL => sql`excluded.${sql.identifier(name)}`;

/** For `do update set`: sets each of the columns to its conflicting value. */
export function setExcluded<Table extends PgTable>(
  table: Table,
  keys: readonly (keyof Table['_']['columns'] & string)[],
): SQL {
  const columns = getTableColumns(table) as Readonly<Record<string, PgColumn>>;
  const assignments = keys.flatMap((key) => {
    const column = columns[key];
    return column === undefined ? [] : [sql`${sql.identifier(column.name)} = ${excluded(column)}`];
  });
  return sql.join(assignments, sql`, `);
}
