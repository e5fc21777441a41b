import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/**
 * A value that a share of the rows does not exceed, interpolated; null without rows.
 *
 * @param share from 0 to 1
 */
export const percentileOf = (share: number, values: SQLWrapper): SQL<number | null> =>
  sql<number | null>`percentile_cont(${sql.raw(String(share))}) within group (order by ${values})`;
