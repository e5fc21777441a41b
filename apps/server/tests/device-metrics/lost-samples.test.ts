import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';
import { encodeMetricMessage } from '@deviceportal/device-protocol/metric-message';
import { ensureMetricPartitions } from '../../src/device-metrics/data/metric-partitions.ts';
import { getDeviceMetrics } from '../../src/device-metrics/get-device-metrics.ts';
import { rollUpSamples } from '../../src/device-metrics/roll-up-samples.ts';
import { administrator } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  DAY_MS,
  HOUR_MS,
  openMetricIngest,
  retention,
  samplesOf,
  seedMetricDevice,
  type MetricDevice,
} from './metrics-fixture.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await ensureMetricPartitions(db.database, { now: new Date(), sampleDays: 7 });
});
afterAll(() => db[Symbol.asyncDispose]());

async function send(
  { deviceId, instanceId }: MetricDevice,
  ...messages: readonly { readonly block: MetricBlock; readonly dropped: number }[]
): Promise<void> {
  const { ingest } = openMetricIngest(db.database, { batchWaitMs: 1 });
  for (const [index, { block, dropped }] of messages.entries()) {
    const payload = encodeMetricMessage({ instanceId, upTo: index + 1, dropped, block });
    await ingest.take({ deviceId, payload });
  }
  await ingest[Symbol.asyncDispose]();
}

async function lossesOf({ deviceId }: MetricDevice, fromMs: number, nowMs = Date.now()) {
  const { losses, series } = await getDeviceMetrics(
    {
      database: db.database,
      clock: () => new Date(nowMs),
      metrics: { retention, sampleSeconds: 60 },
    },
    administrator,
    {
      deviceId,
      from: new Date(fromMs).toISOString(),
      to: new Date(nowMs).toISOString(),
      points: 300,
    },
  );
  return { losses, metrics: series.map(({ metric }) => metric) };
}

const startMs = (): number => Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS;

test('samples that a device deleted are shown before the first one that it kept', async () => {
  const device = await seedMetricDevice(db.database);
  const fromMs = startMs();
  const kept = { block: samplesOf(fromMs + HOUR_MS, 5), dropped: 40 };
  const before = { block: samplesOf(fromMs, 5), dropped: 0 };
  // The second message is repeated: its acknowledgment was lost.
  await send(device, before, kept, kept, { block: samplesOf(fromMs + 2 * HOUR_MS, 5), dropped: 0 });
  expect(await lossesOf(device, fromMs)).toEqual({
    losses: [{ before: new Date(fromMs + HOUR_MS).toISOString(), samples: 40 }],
    metrics: ['cpuUsedPercent'],
  });
});

test('they are still shown when the samples are rolled up', async () => {
  const device = await seedMetricDevice(db.database);
  const dayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS;
  await send(device, { block: samplesOf(dayMs + HOUR_MS, 30), dropped: 1_234 });
  const logger = { warn() {}, error() {} };
  const deps = { database: db.database, clock: () => new Date(), logger };
  while ((await rollUpSamples(deps)) > 0);
  for (const days of [20, 400]) {
    const { losses } = await lossesOf(device, Date.now() - days * DAY_MS);
    expect(losses.map(({ samples }) => samples)).toEqual([1_234]);
  }
});

test('a device cannot invent a metric with their number, and no number stops its samples', async () => {
  const device = await seedMetricDevice(db.database);
  const fromMs = startMs();
  const block = samplesOf(fromMs, 3);
  const forged = { times: block.times, columns: new Map([...block.columns, [900, [7, 7, 7]]]) };
  await send(device, { block: forged, dropped: 0 });
  expect((await lossesOf(device, fromMs)).losses).toEqual([]);
  await send(device, { block: samplesOf(fromMs + HOUR_MS, 3), dropped: 2 ** 50 });
  expect((await lossesOf(device, fromMs)).losses.map(({ samples }) => samples)).toEqual([1e9]);
});
