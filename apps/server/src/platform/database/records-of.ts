import { getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/** The parts of an `insert … select` from JSON. */
export interface Records {
  /** Database column names. */
  readonly columns: SQL;
  /** The same columns of `records`. */
  readonly values: SQL;
  /** A row for each object, whose keys are the TypeScript names of the columns. */
  readonly records: SQL;
}

/**
 * @param json an array of objects; missing keys are null
 * @param keys the columns to include; defaults to all
 */
export function recordsOf<Table extends PgTable>(
  table: Table,
  json: string,
  keys?: readonly (keyof Table['_']['columns'] & string)[],
): Records {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([key]) => keys?.includes(key) ?? true,
  );
  const list = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);
  const types = columns.map(
    ([key, column]) => sql`${sql.identifier(key)} ${sql.raw(column.getSQLType())}`,
  );
  return {
    columns: list(columns.map(([, { name }]) => sql`${sql.identifier(name)}`)),
    values: list(columns.map(([key]) => sql`record.${sql.identifier(key)}`)),
    records: sql`jsonb_to_recordset(${json}::jsonb) as record(${list(types)})`,
  };
}
