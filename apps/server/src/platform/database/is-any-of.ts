import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Like `inArray`, with one parameter however many the values are: the statement stays the same. */
export const isAnyOf = <Column extends PgColumn>(
  column: Column,
  values: readonly Column['_']['data'][],
): SQL => sql`${column} = any(${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`;
