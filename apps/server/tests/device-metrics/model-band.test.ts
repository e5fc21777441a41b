import { afterAll, beforeAll, expect, test } from 'vitest';
import { MOST_BAND_DEVICES, type ModelBand } from '@deviceportal/contract/model-band';
import { ensureMetricPartitions } from '../../src/device-metrics/data/metric-partitions.ts';
import { getModelBand } from '../../src/device-metrics/model-band/get-model-band.ts';
import { rollUpSamples } from '../../src/device-metrics/roll-up-samples.ts';
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

let models = 0;

/** Devices of a model of their own that used a steady CPU for an hour: the place in percent. */
async function seedModel(
  count: number,
  over: { readonly country?: string; readonly fromMs?: number; readonly model?: string } = {},
): Promise<{ readonly model: string; readonly ids: readonly string[] }> {
  const model = over.model ?? `model-${(models += 1)}`;
  const { country = 'DE', fromMs = TODAY_MS + 8 * HOUR_MS } = over;
  const ids: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const { deviceId } = await seedMetricDevice(db.database, { country });
    ids.push(deviceId);
  }
  await db.database.pool.query('update device set model = $1 where id = any($2)', [model, ids]);
  await store(
    db.database,
    ...ids.map((deviceId, place) => ({
      deviceId,
      block: samplesOf(fromMs, 60, () => ({ cpuUsedPercent: place })),
    })),
  );
  return { model, ids };
}

const read = (
  deviceId: string | undefined,
  range = { fromMs: TODAY_MS + 8 * HOUR_MS, toMs: TODAY_MS + 9 * HOUR_MS },
  viewer = administrator,
): Promise<ModelBand> =>
  getModelBand(
    { database: db.database, clock, metrics: { retention, sampleSeconds: 60 } },
    viewer,
    {
      deviceId: deviceId ?? '',
      from: new Date(range.fromMs).toISOString(),
      to: new Date(range.toMs).toISOString(),
    },
  );

const hour = { fromMs: TODAY_MS + 8 * HOUR_MS, toMs: TODAY_MS + 9 * HOUR_MS };

test('compares with the other devices of the model', async () => {
  // Of 12 devices, the first is compared with those that use 1 % to 11 %.
  const { model, ids } = await seedModel(12);
  await seedModel(30);
  const band = await read(ids[0]);
  expect(band).toMatchObject({ model, devices: 11, stepSeconds: 300 });
  expect(band.times[0]).toBe(new Date(hour.fromMs).toISOString());
  expect(band.series).toEqual([
    {
      metric: 'cpuUsedPercent',
      median: Array(12).fill(6),
      low: Array(12).fill(2),
      high: Array(12).fill(10),
    },
  ]);
});

test('shows nothing of devices outside the scope, also not in percentiles', async () => {
  const { model, ids } = await seedModel(14, { country: 'DE' });
  await seedModel(40, { country: 'FR', model });
  const german = limitedTo({ countries: ['DE'] }, ['devices:read']);
  const band = await read(ids[0], hour, german);
  expect(band.devices).toBe(13);
  expect(band.series[0]?.median[0]).toBe(7);
  // Both permissions of a viewer count, but only where each allows to read devices.
  const other = limitedTo({ countries: ['FR'] }, ['commands:read']);
  const mixed = { ...german, grants: [...german.grants, ...other.grants] };
  expect((await read(ids[0], hour, mixed)).devices).toBe(13);
});

test('has no band from so few devices that one could be recognized', async () => {
  const { model, ids } = await seedModel(10);
  await seedModel(30, { country: 'FR', model });
  const german = limitedTo({ countries: ['DE'] }, ['devices:read']);
  expect(await read(ids[0], hour, german)).toMatchObject({ model, devices: 9, series: [] });
});

test('finds no device outside the scope', async () => {
  const { ids } = await seedModel(11);
  const french = limitedTo({ countries: ['FR'] }, ['devices:read']);
  await expect(read(ids[0], hour, french)).rejects.toMatchObject({ code: 6000 });
});

test('compares nothing if the model is not known', async () => {
  const { deviceId } = await seedMetricDevice(db.database);
  expect(await read(deviceId)).toMatchObject({ model: null, devices: 0, series: [] });
});

test('leaves out devices that are not in service, and damaged rows', async () => {
  const { ids } = await seedModel(14);
  await db.database.pool.query(`update device set lifecycle = 'retired' where id = $1`, [ids[13]]);
  await db.database.pool.query(
    `update device_metric_hour set samples = '\\x05ffffffff' where device_id = $1`,
    [ids[12]],
  );
  expect(await read(ids[0])).toMatchObject({ devices: 11 });
});

test('reads a bounded number of devices, and always the same', async () => {
  const { ids } = await seedModel(MOST_BAND_DEVICES + 30);
  const band = await read(ids[0]);
  expect(band.devices).toBe(MOST_BAND_DEVICES);
  expect(await read(ids[0])).toEqual(band);
});

test('is the same before and after days are rolled up', async () => {
  const fromMs = TODAY_MS - DAY_MS + 8 * HOUR_MS;
  const { ids } = await seedModel(12, { fromMs });
  const weeks = { fromMs: TODAY_MS - 6 * DAY_MS, toMs: TODAY_MS };
  const months = { fromMs: TODAY_MS - 60 * DAY_MS, toMs: TODAY_MS };
  const before = [await read(ids[0], weeks), await read(ids[0], months)];
  const logger = { warn() {}, error() {} };
  while ((await rollUpSamples({ database: db.database, clock, logger })) > 0);
  // From the next day on, the stored points are read.
  nowMs = NOW_MS + 2 * DAY_MS;
  const after = [await read(ids[0], weeks), await read(ids[0], months)];
  nowMs = NOW_MS;
  expect(after).toEqual(before);
  expect(before[0]?.series[0]?.median.filter((value) => value !== null)).toEqual([6]);
  expect(before[1]?.stepSeconds).toBe(86_400);
  expect(before[1]?.series[0]?.median.filter((value) => value !== null)).toEqual([6]);
});
