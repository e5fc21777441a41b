import { sql, type SQL } from 'drizzle-orm';
import {
  LEAST_GROUP_DEVICES,
  MOST_DISTRIBUTION_GROUPS,
  type MetricGrouping,
} from '@deviceportal/contract/metric-distribution';
import type { Scope } from '@deviceportal/contract/permissions';
import { sampledDevices } from '../../devices/data/search/sample-devices.ts';
import type { Executor } from '../../platform/database/database.ts';
import { selectList, selectRows } from '../../platform/database/select-rows.ts';
import { installedVersions } from '../../versions/data/installed-versions.ts';
import { latestMetrics } from './latest-metrics.ts';

export interface DistributionQuery {
  readonly metricId: number;
  readonly by: MetricGrouping;
  readonly scopes: readonly Scope[];
  readonly sinceDay: number;
  /** Devices that are examined at most. */
  readonly most: number;
}

const group = selectList({
  name: sql<string>`spread.name`,
  component: sql<string | null>`spread.component`,
  devices: sql<number>`spread.devices`,
  low: sql<number>`spread.parts[1]`,
  firstQuartile: sql<number>`spread.parts[2]`,
  median: sql<number>`spread.parts[3]`,
  thirdQuartile: sql<number>`spread.parts[4]`,
  high: sql<number>`spread.parts[5]`,
  lowerFence: sql<number>`spread.lower_fence`,
  upperFence: sql<number>`spread.upper_fence`,
  below: sql<number>`outside.below`,
  above: sql<number>`outside.above`,
  total: sql<number>`(select count(distinct device_id) from measured)::integer`,
});

/**
 * Percentiles of each group, and how many of its devices are outside of Tukey's fences. Values are
 * looked up for each device of the sample: the planner would otherwise read those of all devices.
 */
export async function selectDistribution(on: Executor, query: DistributionQuery) {
  const sampled = sampledDevices(query.scopes, query.most);
  const { name, component, from } = groupingOf(query.by, sampled);
  return selectRows(
    on,
    group,
    (list) => sql`
    with measured as materialized (
      select ${sampled.deviceId} as device_id, ${name} as name, ${component} as component, latest.value
      from ${sampled} cross join lateral (
        select ${latestMetrics.value} as value from ${latestMetrics}
        where ${latestMetrics.deviceId} = ${sampled.deviceId} and ${latestMetrics.metricId} = ${query.metricId}::integer
          and ${latestMetrics.day} >= ${query.sinceDay}::integer offset 0
      ) latest ${from}
    ), spread as (
      select *, parts[2] - 1.5 * (parts[4] - parts[2]) as lower_fence, parts[4] + 1.5 * (parts[4] - parts[2]) as upper_fence
      from (
        select name, component, count(*)::integer as devices,
          percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]) within group (order by value) as parts
        from measured where name is not null group by name, component
        having count(*) >= ${LEAST_GROUP_DEVICES}::integer
        order by count(*) desc, name, component limit ${MOST_DISTRIBUTION_GROUPS}::integer
      ) percentiles
    )
    select ${list} from spread cross join lateral (
      select count(*) filter (where m.value < spread.lower_fence)::integer as below,
        count(*) filter (where m.value > spread.upper_fence)::integer as above
      from measured m where m.name = spread.name and m.component is not distinct from spread.component
    ) outside
    order by spread.devices desc, spread.name, spread.component`,
  );
}

interface Grouping {
  readonly name: SQL;
  readonly component: SQL;
  /** Further joins. */
  readonly from: SQL;
}

function groupingOf(by: MetricGrouping, sampled: ReturnType<typeof sampledDevices>): Grouping {
  const nothing = { component: sql`null::text`, from: sql`` };
  if (by === 'model') return { name: sql`${sampled.model}`, ...nothing };
  if (by === 'country') return { name: sql`${sampled.country}`, ...nothing };
  return {
    name: sql`installed.version`,
    component: sql`installed.component`,
    from: sql`cross join lateral (
      select ${installedVersions.version} as version, ${installedVersions.component} as component
      from ${installedVersions} where ${installedVersions.deviceId} = ${sampled.deviceId} offset 0
    ) installed`,
  };
}
