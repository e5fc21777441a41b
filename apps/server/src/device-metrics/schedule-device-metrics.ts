import { z } from 'zod';
import type { RetentionConfig } from '../platform/config/config.ts';
import { isTransientFault } from '../platform/database/errors/database-fault.ts';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { deleteLatest } from './data/latest-queries.ts';
import {
  dayPartitions,
  dropMetricPartitions,
  ensureMetricPartitions,
  hourPartitions,
  monthPartitions,
} from './data/metric-partitions.ts';
import { dayOf, HOURS_PER_DAY, monthOf, secondsOf } from './metric-time.ts';
import { rollUpSamples, type RollUpDependencies } from './roll-up-samples.ts';

export type MetricRetention = Pick<
  RetentionConfig,
  'metricSampleDays' | 'metricQuarterHourDays' | 'metricDayDays'
>;

interface MetricJobs extends RollUpDependencies {
  readonly retention: MetricRetention;
}

/** Jobs that roll up metrics, create partitions, and drop them at the end of their retention. */
export async function scheduleDeviceMetrics({
  jobs,
  ...deps
}: MetricJobs & { readonly jobs: Jobs }): Promise<void> {
  // Without them, samples are stored in the default partition.
  await attempt(deps, 'metric partitions not created', () => ensurePartitions(deps));
  const nothing = z.object({});
  const rollUp = defineJob('device-metrics-roll-up', nothing, async (_data, { signal }) => {
    while (!signal.aborted && (await rollUpSamples(deps)) > 0);
  });
  const retain = defineJob('device-metrics-partitions', nothing, (_data, { signal }) =>
    retainMetrics(deps, signal),
  );
  for (const job of [rollUp, retain]) jobs.define(job);
  jobs.schedule(rollUp, '*/5 * * * *', {});
  jobs.schedule(retain, '37 * * * *', {});
}

const ensurePartitions = ({ database, clock, retention }: MetricJobs): Promise<number> =>
  ensureMetricPartitions(database, { now: clock(), sampleDays: retention.metricSampleDays });

/**
 * A day is kept whole until its last hour ends its retention. What is not rolled up is rolled up
 * before. What fails is logged, does not stop the rest, and is attempted again in the next hour.
 *
 * @param signal ends it after the current step
 */
export async function retainMetrics(deps: MetricJobs, signal?: AbortSignal): Promise<void> {
  const { database, clock, retention } = deps;
  await attempt(deps, 'metric partitions not created', () => ensurePartitions(deps));
  await attempt(deps, 'metrics not rolled up', async () => {
    while (!signal?.aborted && (await rollUpSamples(deps)) > 0);
  });
  const today = dayOf(secondsOf(clock()));
  const before = (days: number): number => today - days;
  const ended = [
    [hourPartitions, before(retention.metricSampleDays) * HOURS_PER_DAY],
    [dayPartitions, before(retention.metricQuarterHourDays)],
    [monthPartitions, monthOf(before(retention.metricDayDays))],
  ] as const;
  for (const [partitions, key] of ended) {
    if (signal?.aborted) return;
    await attempt(deps, 'expired metric partitions not dropped', async () => {
      const dropped = await dropMetricPartitions(database, partitions, key);
      // Read as a whole, so only with the last partition of the same time: once a year.
      if (partitions === monthPartitions && dropped > 0)
        await deleteLatest(database, before(retention.metricDayDays));
    });
  }
}

async function attempt(
  { logger }: MetricJobs,
  failure: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger[isTransientFault(error) ? 'warn' : 'error']({ err: error }, failure);
  }
}
