import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { BinaryType } from './binary-array.ts';

/** The parts of an `insert … select` from `rowsOf`; made once, for statements that run often. */
export interface InsertColumns<Key extends string> {
  /** By their names in the database. */
  readonly names: SQL;
  /** The same columns of the rows, whose keys are the columns' names in TypeScript. */
  readonly values: SQL;
  /** For `rowsOf`. */
  readonly types: Readonly<Record<Key, BinaryType>>;
}

/** @param keys the key of the table first */
export function insertColumns<
  Table extends PgTable,
  Key extends keyof Table['_']['columns'] & string,
>(table: Table, keys: readonly Key[]): InsertColumns<Key> {
  const columns = getTableColumns(table) as Readonly<Record<string, PgColumn>>;
  const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
  const found = keys.map((key) => {
    const column = columns[key];
    if (column === undefined) throw new Error(`the table has no column ${key}`);
    return { key, column };
  });
  return {
    names: list(found.map(({ column }) => sql`${sql.identifier(column.name)}`)),
    values: list(found.map(({ key }) => sql`${sql.identifier(key)}`)),
    types: Object.fromEntries(
      found.map(({ key, column }) => [key, binaryTypeOf(column)]),
    ) as Record<Key, BinaryType>,
  };
}

/** Types whose name in a schema is not the one that is written in binary. */
const binaryTypes: Readonly<Record<string, BinaryType>> = {
  'timestamp with time zone': 'timestamptz',
  'double precision': 'float8',
};

const binaryTypeOf = (column: PgColumn): BinaryType => {
  const type = column.getSQLType();
  return binaryTypes[type] ?? (type as BinaryType);
};
