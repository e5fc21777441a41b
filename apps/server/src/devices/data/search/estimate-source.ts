import { count, sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { estimateRows, estimateRowsOfEach } from '../../../platform/database/estimate-rows.ts';
import { device } from '../devices-tables.ts';
import type { Source } from './device-predicate.ts';

/** Number of rows in a source, at most `cap + 1`; reads only its index. */
export async function measureSource(on: Executor, source: Source, cap: number): Promise<number> {
  const pieces = (source.unordered ?? source.branches).map(
    (branch) => sql`(select 1 from ${branch.from} where ${branch.where} limit ${cap + 1})`,
  );
  if (pieces.length === 0) return 0;
  const [found] = await on
    .select({ count: count() })
    .from(sql`(${sql.join(pieces, sql` union all `)}) r`);
  return found?.count ?? 0;
}

/**
 * The planner's estimate of devices that match all patterns, from its histogram of `search_text`, whose statistics
 * target is high enough. An exact count would require finding them.
 */
export async function estimateText(on: Executor, patterns: readonly string[]): Promise<number> {
  const conditions = patterns.map((pattern) => sql`${device.searchText} like ${pattern}`);
  return estimateRows(on, sql`select 1 from ${device} where ${sql.join(conditions, sql` and `)}`);
}

/** The planner's estimate of rows in each of some sources, none of which is empty. */
export function estimateSources(on: Executor, sources: readonly Source[]): Promise<number[]> {
  const queries = sources.map(({ unordered, branches }) => {
    const pieces = (unordered ?? branches).map(
      (branch) => sql`(select 1 from ${branch.from} where ${branch.where})`,
    );
    return sql.join(pieces, sql` union all `);
  });
  return estimateRowsOfEach(on, queries);
}
