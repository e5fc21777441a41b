import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * The distinct values of an indexed column, each found by a jump over all rows of the one before: PostgreSQL has no
 * loose index scan of its own before version 18.
 *
 * @returns a query of one column, `value`
 */
export function distinctValues(from: SQLWrapper, column: SQLWrapper, where: SQL = sql`true`): SQL {
  return sql`
    with recursive v as (
      (select ${column} as value from ${from} where ${where} and ${column} is not null order by ${column} limit 1)
      union all
      select (select ${column} from ${from} where ${where} and ${column} > v.value order by ${column} limit 1)
      from v where v.value is not null)
    select value from v where value is not null`;
}
