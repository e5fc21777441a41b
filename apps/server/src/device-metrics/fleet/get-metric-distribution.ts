import { metricDefinitions } from '@deviceportal/contract/device-metrics';
import {
  METRIC_CURRENT_DAYS,
  MOST_DISTRIBUTION_DEVICES,
  type MetricDistribution,
  type metricDistributionInput,
} from '@deviceportal/contract/metric-distribution';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { z } from 'zod';
import { countsMoreDevices } from '../../devices/data/search/sample-devices.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { selectDistribution } from '../data/distribution-queries.ts';
import type { DeviceMetricsDeps } from '../get-device-metrics.ts';
import { dayOf, secondsOf } from '../metric-time.ts';

/**
 * How the current values of a metric are distributed over the devices within the viewer's scope. Cost
 * does not grow with the number of devices.
 */
export async function getMetricDistribution(
  { database, clock }: Pick<DeviceMetricsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  { metric, by }: z.infer<typeof metricDistributionInput>,
): Promise<MetricDistribution> {
  const on = database.orm;
  const rows = await selectDistribution(on, {
    ...{ metricId: metricDefinitions[metric].id, by },
    scopes: scopesOf(viewer.grants, ['devices:read']),
    sinceDay: dayOf(secondsOf(clock())) - METRIC_CURRENT_DAYS,
    most: MOST_DISTRIBUTION_DEVICES,
  });
  return {
    metric,
    devices: rows[0]?.total ?? 0,
    isSample: await countsMoreDevices(on, MOST_DISTRIBUTION_DEVICES),
    groups: rows.map(({ total: _total, ...group }) => group),
  };
}
