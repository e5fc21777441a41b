import { getTableColumns, getTableName, sql, Subquery, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { BinaryType, Cell } from './binary-array.ts';
import { binaryTypeOf } from './binary-type-of.ts';
import { rowsOf } from './rows-of.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Rows as a table expression, for `from`: it has the alias of a table, and columns of that table with their names and
 * types, so that the columns of the alias name what is in the rows. Binary arrays where all types can be written so, else
 * JSON.
 *
 * @param given made with `alias`
 * @param keys the key of the rows first
 */
export function rowsFor<
  Table extends PgTable,
  Key extends keyof Table['_']['columns'] & keyof Table['$inferInsert'] & string,
>(
  given: Table,
  keys: readonly Key[],
  rows: readonly { readonly [Name in Key]: Table['$inferInsert'][Name] | null }[],
): Subquery {
  const all = getTableColumns(given) as Readonly<Record<string, PgColumn>>;
  const columns = keys.flatMap((key) => {
    const column = all[key];
    return column === undefined ? [] : [{ key, column, type: binaryTypeOf(column) }];
  });
  const types = columns.flatMap(({ column: { name }, type }) =>
    type === undefined ? [] : [[name, type] as const],
  );
  const toRecord = (row: Row) =>
    Object.fromEntries(columns.map(({ key, column }) => [column.name, row[key] ?? null]));
  const records = rows.map(toRecord);
  const isBinary = types.length === columns.length && rows.length > 0;
  return new Subquery(
    isBinary
      ? inBinary(Object.fromEntries(types), records)
      : inJson(
          columns.map(({ column }) => column),
          records,
        ),
    {},
    getTableName(given),
  );
}

const inBinary = (types: Readonly<Record<string, BinaryType>>, records: readonly Row[]): SQL =>
  sql`select * from ${rowsOf(
    types,
    records.map((record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [name, toCell(types[name], value)]),
      ),
    ),
  )} as record`;

function toCell(type: BinaryType | undefined, value: unknown): Cell {
  if (value === null) return null;
  if (type === 'jsonb') return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : (value as Cell);
}

function inJson(columns: readonly PgColumn[], records: readonly Row[]): SQL {
  const types = columns.map(
    (column) => sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}`,
  );
  return sql`select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as record(${sql.join(types, sql`, `)})`;
}
