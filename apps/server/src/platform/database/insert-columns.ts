import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { BinaryType } from './binary-array.ts';
import { binaryTypeOf } from './binary-type-of.ts';

/** The parts of an `insert … select` from `rowsOf`. Create it once for frequent statements. */
export interface InsertColumns<Key extends string> {
  /** Database column names. */
  readonly names: SQL;
  /** The same columns of the rows, whose keys are the TypeScript names of the columns. */
  readonly values: SQL;
  /** For `rowsOf`. */
  readonly types: Readonly<Record<Key, BinaryType>>;
}

/** @param keys the table's key first */
export function insertColumns<
  Table extends PgTable,
  Key extends keyof Table['_']['columns'] & string,
>(table: Table, keys: readonly Key[]): InsertColumns<Key> {
  const columns = getTableColumns(table) as Readonly<Record<string, PgColumn>>;
  const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
  const found = keys.map((key) => {
    const column = columns[key];
    const type = column === undefined ? undefined : binaryTypeOf(column);
    if (column === undefined || type === undefined)
      throw new Error(`the table does not have a column ${key} that can be written in binary`);
    return { key, column, type };
  });
  return {
    names: list(found.map(({ column }) => sql`${sql.identifier(column.name)}`)),
    values: list(found.map(({ key }) => sql`${sql.identifier(key)}`)),
    types: Object.fromEntries(found.map(({ key, type }) => [key, type])) as Record<Key, BinaryType>,
  };
}
