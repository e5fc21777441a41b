import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeBlock } from '@deviceportal/device-protocol/metric-block';
import { eraseMetrics } from '../../src/device-metrics/data/erase-metrics.ts';
import { ensureMetricPartitions } from '../../src/device-metrics/data/metric-partitions.ts';
import { readDays } from '../../src/device-metrics/data/point-queries.ts';
import { rollUpSamples } from '../../src/device-metrics/roll-up-samples.ts';
import { retainMetrics } from '../../src/device-metrics/schedule-device-metrics.ts';
import { storeSamples, type DeviceSamples } from '../../src/device-metrics/store-samples.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { until } from '../support/until.ts';
import {
  DAY_MS,
  HOUR_MS,
  retention,
  samplesOf,
  seedMetricDevice,
  store,
} from './metrics-fixture.ts';

const TODAY_MS = Date.UTC(2026, 5, 15);
const TODAY = TODAY_MS / DAY_MS;

let db: TestDatabase;
let nowMs = TODAY_MS + 10 * HOUR_MS;
const logged: unknown[] = [];
const log = (...facts: unknown[]): void => void logged.push(facts);
const deps = () => ({
  ...{ database: db.database, clock: () => new Date(nowMs), retention },
  logger: { warn: log, error: log },
});
beforeAll(async () => {
  db = await createTestDatabase();
  await ensureMetricPartitions(db.database, { now: new Date(nowMs), sampleDays: 7 });
});
afterAll(() => db[Symbol.asyncDispose]());

async function waitingOn(count: number): Promise<boolean> {
  const { rows } = await db.owner.pool.query(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return Number(rows[0].count) >= count;
}

/** A gateway that has stored samples and not committed yet. */
async function openGateway(...batch: readonly DeviceSamples[]) {
  const stored = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const committed = inTransaction(db.database, async (tx) => {
    await storeSamples(tx, batch);
    stored.resolve();
    await released.promise;
  });
  await Promise.race([stored.promise, committed]);
  return {
    async commit() {
      released.resolve();
      await committed;
    },
  };
}

test('a roll-up has the late samples of a gateway that commits while it runs', async () => {
  const { deviceId } = await seedMetricDevice(db.database);
  const startMs = TODAY_MS - DAY_MS;
  await store(db.database, { deviceId, block: samplesOf(startMs, 15) });
  const gateway = await openGateway({ deviceId, block: samplesOf(startMs + HOUR_MS, 15) });
  let hasEnded = false;
  const rolledUp = rollUpSamples(deps()).finally(() => {
    hasEnded = true;
  });
  await until(async () => hasEnded || waitingOn(1), 10_000);
  await gateway.commit();
  await rolledUp;
  while ((await rollUpSamples(deps())) > 0);
  const days = await readDays(db.database.orm, { deviceIds: [deviceId], fromDay: 0, toDay: TODAY });
  expect(days.flatMap(({ points }) => decodeBlock(points, { samples: 96 }).times)).toEqual(
    [startMs, startMs + HOUR_MS].map((ms) => ms / 1_000),
  );
});

test('erasing a device while a gateway stores its samples is no deadlock', async () => {
  const { deviceId } = await seedMetricDevice(db.database);
  const block = samplesOf(TODAY_MS, 15);
  await store(db.database, { deviceId, block });
  const blocker = await db.database.pool.connect();
  await blocker.query('begin');
  await blocker.query('select from device_metric_pending where device_id = $1 for update', [
    deviceId,
  ]);
  const erased = inTransaction(db.database, (tx) => eraseMetrics(tx, [deviceId]));
  await until(() => waitingOn(1), 10_000);
  const stored = store(db.database, { deviceId, block: samplesOf(TODAY_MS + 30 * 60_000, 15) });
  await until(() => waitingOn(2), 10_000);
  await blocker.query('rollback');
  blocker.release();
  // Its hour, its day that is to be rolled up, and its newest sample.
  expect(await erased).toBe(3);
  expect(await stored).toEqual([]);
});

test('samples that a gateway is storing without a partition are moved into the new one', async () => {
  const { deviceId } = await seedMetricDevice(db.database);
  const laterMs = TODAY_MS + 60 * DAY_MS;
  const gateway = await openGateway({ deviceId, block: samplesOf(laterMs, 10) });
  const created = ensureMetricPartitions(db.database, { now: new Date(laterMs), sampleDays: 0 });
  await until(() => waitingOn(1), 10_000);
  await gateway.commit();
  expect(await created).toBeGreaterThan(2);
  const { rows } = await db.database.pool.query(
    'select tableoid::regclass::text as place from device_metric_hour where device_id = $1',
    [deviceId],
  );
  expect(rows).toEqual([{ place: `device_metric_hour_${laterMs / DAY_MS}` }]);
});

test('partitions that are read for long are dropped later, and other readers do not wait for it', async () => {
  const { deviceId } = await seedMetricDevice(db.database);
  await store(db.database, { deviceId, block: samplesOf(TODAY_MS - 7 * DAY_MS, 10) });
  const isStored = async (): Promise<boolean> => {
    const { rowCount } = await db.database.pool.query(
      'select from device_metric_hour where device_id = $1',
      [deviceId],
    );
    return rowCount === 1;
  };
  const reader = await db.database.pool.connect();
  await reader.query('begin; select from device_metric_hour limit 1');
  nowMs += DAY_MS;
  const startedAt = performance.now();
  const retained = retainMetrics(deps());
  await until(() => waitingOn(1), 10_000);
  expect(await isStored()).toBe(true);
  await retained;
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(logged.length).toBeGreaterThan(0);
  await reader.query('rollback');
  reader.release();
  await retainMetrics(deps());
  expect(await isStored()).toBe(false);
}, 60_000);

test('no partition is created that is dropped in the same hour', async () => {
  await retainMetrics(deps());
  const ensured = { now: new Date(nowMs), sampleDays: retention.metricSampleDays };
  expect(await ensureMetricPartitions(db.database, ensured)).toBe(0);
});

test('a device whose samples are damaged does not stop the roll-up of others', async () => {
  const [damaged, other] = [
    await seedMetricDevice(db.database),
    await seedMetricDevice(db.database),
  ];
  const block = samplesOf(TODAY_MS - DAY_MS, 15);
  for (const { deviceId } of [damaged, other]) await store(db.database, { deviceId, block });
  await db.database.pool.query(
    `update device_metric_hour set samples = '\\xffff' where device_id = $1`,
    [damaged.deviceId],
  );
  logged.length = 0;
  await retainMetrics(deps());
  expect(logged).toHaveLength(1);
  const daysOf = ({ deviceId }: { readonly deviceId: string }) =>
    readDays(db.database.orm, { deviceIds: [deviceId], fromDay: 0, toDay: TODAY });
  expect([(await daysOf(damaged)).length, (await daysOf(other)).length]).toEqual([0, 1]);
});

test('only the role of the server can create and drop partitions', async () => {
  const signatures = [
    'ensure_metric_partition(text, text, integer, integer)',
    'drop_metric_partition(text, integer)',
  ];
  await db.owner.pool.query('create role stranger_to_metrics');
  try {
    for (const signature of signatures) {
      const mayCall = async (role: string): Promise<unknown> => {
        const { rows } = await db.owner.pool.query(
          `select has_function_privilege($1::name, $2::text, 'execute') as may`,
          [role, signature],
        );
        return rows[0].may;
      };
      expect(await mayCall('stranger_to_metrics')).toBe(false);
      expect(await mayCall('deviceportal_server')).toBe(true);
    }
  } finally {
    await db.owner.pool.query('drop role stranger_to_metrics');
  }
});
