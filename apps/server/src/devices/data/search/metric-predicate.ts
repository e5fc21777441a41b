import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { metricDefinitions, type MetricName } from '@deviceportal/contract/device-metrics';
import { METRIC_CURRENT_DAYS, metricLimitOf } from '@deviceportal/contract/metric-distribution';
import { latestMetrics } from '../../../device-metrics/data/latest-metrics.ts';
import { isRecentSample, newestMetrics } from '../../../device-metrics/data/newest-metrics.ts';
import { dayOf } from '../../../device-metrics/metric-time.ts';
import { anyOf, fromRows, onDevice, source, type Predicate } from './device-predicate.ts';
import { d, s } from './search-rows.ts';

/** Devices whose newest sample of a metric, if it is recent, is at least, or at most, a limit: `cpuUsedPercent:90`. */
export function newestMetricPredicate(
  operator: '>=' | '<=',
  values: readonly string[],
  now: Date,
): Predicate | undefined {
  const wanted = values.map((value) => newestMetricIs(operator, value, now));
  return wanted.includes(undefined)
    ? undefined
    : anyOf(wanted.filter((each) => each !== undefined));
}

function newestMetricIs(operator: '>=' | '<=', value: string, now: Date): Predicate | undefined {
  const given = metricLimitOf(value);
  if (given === undefined) return undefined;
  const { deviceId, values } = newestMetrics;
  const isWanted = sql`${isRecentSample(now)} and ${isBeyond(values, { ...given, operator })}`;
  const holds = (id: SQLWrapper) =>
    sql`exists (select from ${newestMetrics} where ${deviceId} = ${id} and ${isWanted} offset 0)`;
  return {
    ...onDevice(holds(d.id), [source([fromRows({ from: newestMetrics, deviceId }, isWanted)])]),
    whereOnStatus: holds(s.deviceId),
  };
}

/** @param values by the ID of the metric */
export function isBeyond(
  values: SQLWrapper,
  given: {
    readonly metric: MetricName;
    readonly operator: '>=' | '<=';
    readonly limit: number;
  },
): SQL {
  const { metric, operator, limit } = given;
  const comparison = operator === '>=' ? sql`>=` : sql`<=`;
  return sql`${values}[${sql.raw(String(metricDefinitions[metric].id))}] ${comparison} ${limit}::float8`;
}

/** Devices whose current value of a metric is at least, or at most, a limit: `cpuUsedPercent:90`. */
export function metricPredicate(
  operator: '>=' | '<=',
  values: readonly string[],
  now: Date,
): Predicate | undefined {
  const wanted = values.map((value) => metricIs(operator, value, now));
  return wanted.includes(undefined)
    ? undefined
    : anyOf(wanted.filter((each) => each !== undefined));
}

function metricIs(operator: '>=' | '<=', value: string, now: Date): Predicate | undefined {
  const given = metricLimitOf(value);
  if (given === undefined) return undefined;
  const { deviceId, metricId, day, value: stored } = latestMetrics;
  const since = dayOf(now.getTime() / 1_000) - METRIC_CURRENT_DAYS;
  const comparison = operator === '>=' ? sql`>=` : sql`<=`;
  const isWanted = sql`${metricId} = ${metricDefinitions[given.metric].id}::integer
    and ${stored} ${comparison} ${given.limit}::float8 and ${day} >= ${since}::integer`;
  const holds = (id: SQLWrapper) =>
    sql`exists (select from ${latestMetrics} where ${deviceId} = ${id} and ${isWanted} offset 0)`;
  return {
    ...onDevice(holds(d.id), [source([fromRows({ from: latestMetrics, deviceId }, isWanted)])]),
    whereOnStatus: holds(s.deviceId),
  };
}
