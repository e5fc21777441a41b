import { getTableColumns, getTableName, sql, Subquery, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

/**
 * A table of which a statement reads all rows, or with `sampleOf` only some. Its column names do
 * not change.
 */
export const sampled = <Table extends PgTable>(table: Table, sample: SQL = sql.empty()) =>
  new Subquery<Table['_']['name'], Table['_']['columns']>(
    sql`select * from ${table} ${sample}`,
    getTableColumns(table),
    getTableName(table),
  );
