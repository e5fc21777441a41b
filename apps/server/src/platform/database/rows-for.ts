import { getTableColumns, getTableName, sql, Subquery } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * Rows as a table expression, for `from`: it has the alias of a table, and columns of that table with their names and
 * types, so that the columns of the alias name what is in the rows.
 *
 * @param given made with `alias`
 */
export function rowsFor<
  Table extends PgTable,
  Key extends keyof Table['_']['columns'] & keyof Table['$inferInsert'] & string,
>(
  given: Table,
  keys: readonly Key[],
  rows: readonly { readonly [Name in Key]: Table['$inferInsert'][Name] | null }[],
): Subquery {
  const columns = Object.entries(getTableColumns(given)).filter(([key]) =>
    (keys as readonly string[]).includes(key),
  );
  const toRecord = (row: (typeof rows)[number]) =>
    Object.fromEntries(columns.map(([key, { name }]) => [name, row[key as Key] ?? null]));
  const types = columns.map(
    ([, column]) => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`,
  );
  const records = JSON.stringify(rows.map(toRecord));
  return new Subquery(
    sql`select * from jsonb_to_recordset(${records}::jsonb) as record(${sql.join(types, sql`, `)})`,
    {},
    getTableName(given),
  );
}
