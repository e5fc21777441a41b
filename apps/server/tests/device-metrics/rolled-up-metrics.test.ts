import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { ensureMetricPartitions } from '../../src/device-metrics/data/metric-partitions.ts';
import { getDeviceMetrics } from '../../src/device-metrics/get-device-metrics.ts';
import { rollUpSamples } from '../../src/device-metrics/roll-up-samples.ts';
import { retainMetrics } from '../../src/device-metrics/schedule-device-metrics.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  DAY_MS,
  HOUR_MS,
  retention,
  samplesOf,
  seedMetricDevice,
  store,
} from './metrics-fixture.ts';

/** Midnight of a day in UTC, and the time that the tests have. */
const TODAY_MS = Date.UTC(2026, 5, 15);
const NOW_MS = TODAY_MS + 10 * HOUR_MS;

let db: TestDatabase;
let nowMs = NOW_MS;
const clock = () => new Date(nowMs);
beforeAll(async () => {
  db = await createTestDatabase();
  await ensureMetricPartitions(db.database, { now: clock(), sampleDays: 7 });
});
afterAll(() => db[Symbol.asyncDispose]());

const logger = { warn() {}, error() {} };
const deps = () => ({ database: db.database, clock, retention, logger });

async function rollUpAll(): Promise<void> {
  while ((await rollUpSamples(deps())) > 0);
}

const read = (
  deviceId: string,
  range: { readonly fromMs: number; readonly toMs: number; readonly points?: number },
  viewer = administrator,
) =>
  getDeviceMetrics(
    { database: db.database, clock, metrics: { retention, sampleSeconds: 60 } },
    viewer,
    {
      deviceId,
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
      points: range.points ?? 300,
    },
  );

describe('reading metrics', () => {
  test('shows the samples of an hour, with a gap where nothing was measured', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    const startMs = TODAY_MS + 8 * HOUR_MS;
    await store(
      db.database,
      { deviceId, block: samplesOf(startMs, 10) },
      { deviceId, block: samplesOf(startMs + 40 * 60_000, 10) },
    );
    const found = await read(deviceId, { fromMs: startMs, toMs: startMs + HOUR_MS });
    expect(found.resolution).toBe('sample');
    const [cpu] = found.series;
    expect(cpu?.metric).toBe('cpuUsedPercent');
    expect(cpu?.mean.indexOf(null)).toBe(10);
    expect(cpu?.mean.filter((value) => value === null)).toHaveLength(1);
    expect(cpu?.mean.slice(0, 3)).toEqual([0, 1, 2]);
    expect(found.series.map(({ metric }) => metric)).toEqual(['cpuUsedPercent']);
    expect(found.newestAt).toBe(new Date(startMs + 49 * 60_000).toISOString());
  });

  test('never shows more points than asked for, and keeps the extremes', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    const startMs = TODAY_MS - 2 * DAY_MS;
    const block = samplesOf(startMs, 1_440, (index) => ({
      cpuUsedPercent: index === 700 ? 99 : 10,
    }));
    await store(db.database, { deviceId, block });
    const found = await read(deviceId, { fromMs: startMs, toMs: startMs + DAY_MS, points: 100 });
    expect(found.times.length).toBeLessThanOrEqual(100);
    expect(Math.max(...(found.series[0]?.max ?? []).map(Number))).toBe(99);
    expect(Math.max(...(found.series[0]?.mean ?? []).map(Number))).toBeLessThan(30);
  });

  test('is the same before and after a day is rolled up', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    const startMs = TODAY_MS - DAY_MS;
    const block = samplesOf(startMs, 1_440, (index) => ({ loadAverage: index / 100 }));
    await store(db.database, { deviceId, block });
    const range = { fromMs: TODAY_MS - 20 * DAY_MS, toMs: NOW_MS, points: 1_500 };
    const before = await read(deviceId, range);
    await rollUpAll();
    // From the next day on, the stored quarters are read.
    nowMs = NOW_MS + 2 * DAY_MS;
    const after = await read(deviceId, range);
    nowMs = NOW_MS;
    expect(after.resolution).toBe('quarter-hour');
    expect(after.times).toHaveLength(96);
    expect(after.series).toEqual(before.series);
    expect(after.series[0]?.mean[0]).toBe(0.07);
    expect(after.series[0]?.max[0]).toBe(0.14);
  });

  test('has days of years, also of samples that arrived after their day was rolled up', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    const startMs = TODAY_MS - 3 * DAY_MS;
    const steady = (value: number) => () => ({ diskUsedPercent: value });
    await store(db.database, { deviceId, block: samplesOf(startMs, 60, steady(10)) });
    await rollUpAll();
    await store(db.database, { deviceId, block: samplesOf(startMs + HOUR_MS, 60, steady(30)) });
    await store(db.database, { deviceId, block: samplesOf(startMs + DAY_MS, 60, steady(50)) });
    await rollUpAll();
    const found = await read(deviceId, { fromMs: TODAY_MS - 400 * DAY_MS, toMs: NOW_MS });
    expect(found.resolution).toBe('day');
    expect(found.series[0]?.mean).toEqual([20, 50]);
    expect(found.series[0]?.min).toEqual([10, 50]);
    expect(found.series[0]?.max).toEqual([30, 50]);
  });

  test('finds no device outside the scope', async () => {
    const { deviceId } = await seedMetricDevice(db.database, { country: 'DE' });
    const range = { fromMs: TODAY_MS, toMs: NOW_MS };
    const viewer = limitedTo({ countries: ['FR'] }, ['devices:read']);
    await expect(read(deviceId, range, viewer)).rejects.toThrow(PortalError);
    expect((await read(deviceId, range)).series).toEqual([]);
  });
});

describe('retention', () => {
  const tables = ['hour', 'day', 'month'] as const;
  const countsOf = async (deviceId: string): Promise<number[]> => {
    const counts = tables.map(async (table) => {
      const { rows } = await db.database.pool.query(
        `select count(*)::int as count from device_metric_${table} where device_id = $1`,
        [deviceId],
      );
      return Number(rows[0].count);
    });
    return Promise.all(counts);
  };

  test('deletes samples after their days, rolled up before, and the others after theirs', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    await store(db.database, { deviceId, block: samplesOf(TODAY_MS - 6 * DAY_MS, 60) });
    await retainMetrics(deps());
    expect(await countsOf(deviceId)).toEqual([1, 1, 1]);
    nowMs = NOW_MS + 3 * DAY_MS;
    await retainMetrics(deps());
    expect(await countsOf(deviceId)).toEqual([0, 1, 1]);
    nowMs = NOW_MS + 130 * DAY_MS;
    await retainMetrics(deps());
    expect(await countsOf(deviceId)).toEqual([0, 0, 1]);
    nowMs = NOW_MS + 5 * 366 * DAY_MS;
    await retainMetrics(deps());
    expect(await countsOf(deviceId)).toEqual([0, 0, 0]);
    nowMs = NOW_MS;
    await ensureMetricPartitions(db.database, { now: clock(), sampleDays: 7 });
  });

  test('deletes nothing when the server stops before everything is rolled up', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    await store(db.database, { deviceId, block: samplesOf(TODAY_MS - 6 * DAY_MS, 60) });
    nowMs = NOW_MS + 3 * DAY_MS;
    await retainMetrics(deps(), AbortSignal.abort());
    expect(await countsOf(deviceId)).toEqual([1, 0, 0]);
    await retainMetrics(deps());
    expect(await countsOf(deviceId)).toEqual([0, 1, 1]);
    nowMs = NOW_MS;
    await ensureMetricPartitions(db.database, { now: clock(), sampleDays: 7 });
  });

  test('keeps what a legal hold covers, and nothing else', async () => {
    const [held, other] = [
      await seedMetricDevice(db.database),
      await seedMetricDevice(db.database),
    ];
    for (const { deviceId } of [held, other])
      await store(db.database, { deviceId, block: samplesOf(TODAY_MS - 2 * DAY_MS, 60) });
    await rollUpAll();
    const { rows } = await db.database.pool.query(
      `insert into legal_hold (id, name, reason, is_limited, set_by_id, set_at)
       values (gen_random_uuid(), 'claim', 'claim', true, gen_random_uuid(), now()) returning id`,
    );
    await db.database.pool.query(
      `insert into legal_hold_subject (hold_id, kind, subject_id, is_named) values ($1, 'device', $2, true)`,
      [rows[0].id, held.deviceId],
    );
    nowMs = NOW_MS + 20 * DAY_MS;
    await retainMetrics(deps());
    nowMs = NOW_MS;
    expect((await countsOf(held.deviceId))[0]).toBe(1);
    expect((await countsOf(other.deviceId))[0]).toBe(0);
  });

  test('deletes rows of a restored backup, whose partitions no longer existed', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    await db.database.pool.query(
      `insert into device_metric_day (device_id, day, points) values ($1, 100, '')`,
      [deviceId],
    );
    await retainMetrics(deps());
    expect(await countsOf(deviceId)).toEqual([0, 0, 0]);
  });

  test('finds a partition for samples that arrived before it was created', async () => {
    const { deviceId } = await seedMetricDevice(db.database);
    nowMs = NOW_MS + 40 * DAY_MS;
    await store(db.database, { deviceId, block: samplesOf(nowMs, 10) });
    expect(
      await ensureMetricPartitions(db.database, { now: clock(), sampleDays: 7 }),
    ).toBeGreaterThan(5);
    const { rows } = await db.database.pool.query(
      `select tableoid::regclass::text as place from device_metric_hour where device_id = $1`,
      [deviceId],
    );
    expect(rows[0].place).toMatch(/^device_metric_hour_\d+$/);
    nowMs = NOW_MS;
  });
});
