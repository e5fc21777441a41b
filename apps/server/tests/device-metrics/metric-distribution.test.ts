import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listDevicesInput } from '@deviceportal/contract/devices';
import { metricDefinitions } from '@deviceportal/contract/device-metrics';
import { eraseMetrics } from '../../src/device-metrics/data/erase-metrics.ts';
import { ensureMetricPartitions } from '../../src/device-metrics/data/metric-partitions.ts';
import { getMetricDistribution } from '../../src/device-metrics/fleet/get-metric-distribution.ts';
import { rollUpSamples } from '../../src/device-metrics/roll-up-samples.ts';
import { listDevices } from '../../src/devices/list/list-devices.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { DAY_MS, HOUR_MS, samplesOf, seedMetricDevice, store } from './metrics-fixture.ts';

const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const YESTERDAY_MS = TODAY_MS - DAY_MS;

let db: TestDatabase;
let nowMs = TODAY_MS + 10 * HOUR_MS;
const clock = () => new Date(nowMs);
beforeAll(async () => {
  db = await createTestDatabase();
  await ensureMetricPartitions(db.database, { now: clock(), sampleDays: 7 });
});
afterAll(() => db[Symbol.asyncDispose]());

async function rollUp(): Promise<void> {
  const logger = { warn() {}, error() {} };
  while ((await rollUpSamples({ database: db.database, clock, logger })) > 0);
}

/** Devices of a model that used a steady CPU on a day. */
async function seedModel(
  model: string,
  values: readonly number[],
  { country = 'DE', fromMs = YESTERDAY_MS } = {},
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const value of values) {
    const { deviceId } = await seedMetricDevice(db.database, { country });
    ids.push(deviceId);
    await store(db.database, {
      deviceId,
      block: samplesOf(fromMs, 30, () => ({ cpuUsedPercent: value })),
    });
  }
  const { pool } = db.database;
  await pool.query('update device set model = $1 where id = any($2)', [model, ids]);
  await pool.query('update device_status set model = $1 where device_id = any($2)', [model, ids]);
  await rollUp();
  return ids;
}

const read = (viewer = administrator, by: 'model' | 'version' | 'country' = 'model') =>
  getMetricDistribution({ database: db.database, clock }, viewer, { metric: 'cpuUsedPercent', by });

async function groupOf(model: string, viewer = administrator) {
  return (await read(viewer)).groups.find(({ name }) => name === model);
}

async function listed(operator: '>=' | '<=', limit: string, viewer = administrator) {
  const tokens = [{ key: 'metric', operator, values: [limit] }];
  const input = listDevicesInput.parse({ filter: { tokens }, pageSize: 100 });
  const { rows } = await listDevices({ database: db.database, clock }, viewer, input);
  return rows.map(({ id }) => id);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('the distribution of a metric', () => {
  test('has percentiles of each model, and counts its outliers, which the list finds', async () => {
    const ids = await seedModel('K-outlier', [...upTo(11), 90]);
    expect(await groupOf('K-outlier')).toEqual({
      ...{ name: 'K-outlier', component: null, devices: 12 },
      ...{ low: 2.1, firstQuartile: 3.75, median: 6.5, thirdQuartile: 9.25, high: 10.9 },
      ...{ lowerFence: -4.5, upperFence: 17.5, below: 0, above: 1 },
    });
    expect(await listed('>=', 'cpuUsedPercent:17.6')).toEqual([ids[11]]);
    expect(await listed('<=', 'cpuUsedPercent:1')).toContain(ids[0]);
    expect(await listed('<=', 'cpuUsedPercent:1')).not.toContain(ids[1]);
  });

  test('counts nothing outside the scope', async () => {
    await seedModel('K-scope', upTo(10), { country: 'DE' });
    const french = await seedModel('K-scope', Array<number>(20).fill(80), { country: 'FR' });
    const german = limitedTo({ countries: ['DE'] }, ['devices:read']);
    expect(await groupOf('K-scope', german)).toMatchObject({ devices: 10, median: 5.5, high: 9.1 });
    expect((await read(german, 'country')).groups.map(({ name }) => name)).toEqual(['DE']);
    expect(await groupOf('K-scope')).toMatchObject({ devices: 30, median: 80 });
    const found = await listed('>=', 'cpuUsedPercent:75', german);
    expect(found.filter((id) => french.includes(id))).toEqual([]);
    expect(await listed('>=', 'cpuUsedPercent:75')).toEqual(expect.arrayContaining([...french]));
    const none = limitedTo({}, ['commands:read']);
    expect(await read(none)).toMatchObject({ devices: 0, groups: [] });
  });

  test('has no group of so few devices that one could be recognized', async () => {
    await seedModel('K-few', upTo(9));
    expect(await groupOf('K-few')).toBeUndefined();
  });

  test('is of the last day: late samples of an earlier one change nothing', async () => {
    const ids = await seedModel('K-late', Array<number>(10).fill(20));
    for (const deviceId of ids)
      await store(db.database, {
        deviceId,
        block: samplesOf(YESTERDAY_MS - DAY_MS, 30, () => ({ cpuUsedPercent: 70 })),
      });
    await rollUp();
    expect(await groupOf('K-late')).toMatchObject({ median: 20 });
  });

  test('leaves out devices that have not measured for a week, or are not in service', async () => {
    const ids = await seedModel('K-old', Array<number>(11).fill(50));
    expect(await groupOf('K-old')).toMatchObject({ devices: 11 });
    await db.database.pool.query(`update device set lifecycle = 'retired' where id = $1`, [ids[0]]);
    expect(await groupOf('K-old')).toMatchObject({ devices: 10 });
    nowMs += 8 * DAY_MS;
    expect(await groupOf('K-old')).toBeUndefined();
    expect(await listed('>=', 'cpuUsedPercent:50')).toEqual([]);
    nowMs -= 8 * DAY_MS;
  });

  test('groups by the versions of components', async () => {
    const ids = await seedModel('K-version', Array<number>(10).fill(30));
    await db.database.pool.query(
      `insert into device_version (device_id, component, version, since, reported_at)
       select id, 'firmware', '1.2', now(), now() from unnest($1::uuid[]) id`,
      [ids],
    );
    const { groups } = await read(administrator, 'version');
    expect(groups).toMatchObject([{ name: '1.2', component: 'firmware', devices: 10, median: 30 }]);
  });

  test('is erased with the metrics of a device', async () => {
    const [deviceId = ''] = await seedModel('K-erased', upTo(10));
    await inTransaction(db.database, (tx) => eraseMetrics(tx, [deviceId]));
    expect(await groupOf('K-erased')).toBeUndefined();
  });
});

test.each([
  'cpuUsedPercent',
  'cpuUsedPercent:',
  'cpuUsedPercent:high',
  'unknown:5',
  ':5',
  'x:1e999',
])('a filter by the metric “%s” is refused', async (value) => {
  await expect(listed('>=', value)).rejects.toMatchObject({ code: 2004 });
});

test('every metric can be filtered by', async () => {
  for (const metric of Object.keys(metricDefinitions))
    expect(await listed('>=', `${metric}:100000.5`)).toEqual([]);
});
