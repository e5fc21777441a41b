import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * An interpolated percentile; null without rows.
 *
 * @param share from 0 to 1
 */
export const percentileOf = (share: number, values: SQLWrapper): SQL<number | null> =>
  sql<number | null>`percentile_cont(${sql.raw(String(share))}) within group (order by ${values})`;
