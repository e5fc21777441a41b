import { getTableName, sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { sampleOf } from '../../../platform/database/estimate-rows.ts';
import { device } from '../devices-tables.ts';
import type { Predicate } from './device-predicate.ts';
import { every } from './predicate-forms.ts';
import { d, fromS, s } from './search-rows.ts';

const SAMPLED = 2_000;

/** How many of a sample of the fleet meet the conditions. */
export async function countSampled(
  on: Executor,
  conditions: readonly Predicate[],
): Promise<{ readonly matching: number; readonly examined: number }> {
  const sample = await sampleOf(on, getTableName(device), SAMPLED);
  const [found] = await on
    .select({
      examined: sql<number>`count(*)::int`,
      matching: sql<number>`(count(*) filter (where ${every(conditions)}))::int`,
    })
    // One look-up for each device of the sample: the planner would read the whole status table of a small fleet.
    .from(
      sql`${device} ${d} ${sample} cross join lateral (select * from ${fromS} where ${s.deviceId} = ${d.id} offset 0) ${s}`,
    );
  return found ?? { matching: 0, examined: 0 };
}
