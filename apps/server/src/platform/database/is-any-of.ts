import { sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';

/**
 * Like `inArray`, but with a single array parameter, so that the statement does not depend on the
 * number of values.
 */
export const isAnyOf = <Column extends PgColumn>(
  column: Column,
  values: readonly Column['_']['data'][],
): SQL => sql`${column} = any(${sql.param([...values])}::${sql.raw(column.getSQLType())}[])`;
