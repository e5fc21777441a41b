import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';

/** What `insert … on conflict` could not insert. */
export const excluded = ({ name }: PgColumn): SQL => sql`excluded.${sql.identifier(name)}`;

/** For `do update set`: each of the columns as it could not be inserted. */
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
