import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { METRIC_QUOTA } from '@deviceportal/contract/device-limits';
import { BlockWriter } from '@deviceportal/device-protocol/var-int';
import { upTopic } from '@deviceportal/device-protocol/topics';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import {
  connectDevice,
  enrollTestDevice,
  openGatewayFixture,
  rowsOf,
  until,
} from '../../support/gateway-fixture.ts';
import {
  DAY_MS,
  HOUR_MS,
  messageOf,
  openMetricIngest,
  samplesOf,
  seedMetricDevice,
  type MetricDevice,
} from '../../device-metrics/metrics-fixture.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

async function countOf({ deviceId }: Pick<MetricDevice, 'deviceId'>): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    db.database,
    'select count(*)::int as count from device_metric_hour where device_id = $1',
    [deviceId],
  );
  return row?.count ?? 0;
}

describe('a device cannot store', () => {
  const expired = { refused: [], counted: [['expired', 5]] };
  const refused = { refused: ['broken-payload'], counted: [] };
  test.each([
    ['long ago', -8 * DAY_MS, expired],
    ['in 1970', -Date.now() + HOUR_MS, expired],
    ['in the future', HOUR_MS, refused],
    ['in the year 3000', 30_000_000 * 60_000 * 10, refused],
  ])('samples of a time %s, and does not send them again', async (_name, afterMs, expected) => {
    const device = await seedMetricDevice(db.database);
    const { ingest, acks, refusals, skipped } = openMetricIngest(db.database);
    const block = samplesOf(Math.floor((Date.now() + afterMs) / 60_000) * 60_000, 5);
    await ingest.take({
      deviceId: device.deviceId,
      payload: messageOf(device.instanceId, block, 5),
    });
    expect(await countOf(device)).toBe(0);
    expect(acks).toEqual([{ deviceId: device.deviceId, upTo: 5 }]);
    expect(refusals.map(({ reason }) => reason)).toEqual(expected.refused);
    expect(skipped).toEqual(expected.counted);
  });

  test.each([
    ['that no release knows', 999, 1],
    ['without a possible value', 1, 99_999],
  ])('times of metrics %s', async (_name, id, value) => {
    const device = await seedMetricDevice(db.database);
    const { ingest, acks } = openMetricIngest(db.database);
    const { times } = samplesOf(Date.now() - HOUR_MS, 5);
    const block = { times, columns: new Map([[id, times.map(() => value)]]) };
    await ingest.take({
      deviceId: device.deviceId,
      payload: messageOf(device.instanceId, block, 5),
    });
    expect(await countOf(device)).toBe(0);
    expect(acks).toEqual([{ deviceId: device.deviceId, upTo: 5 }]);
  });

  test('one value in each of many hours for the price of a few values', async () => {
    const device = await seedMetricDevice(db.database);
    const { ingest, acks } = openMetricIngest(db.database);
    const first = Math.floor(Date.now() / 1_000) - 130 * 3_600;
    const times = Array.from({ length: 120 }, (_, hour) => first + hour * 3_600);
    const block = { times, columns: new Map([[1, times.map(() => 500)]]) };
    const payload = messageOf(device.instanceId, block, 120);
    await Promise.all(
      Array.from({ length: 80 }, () => ingest.take({ deviceId: device.deviceId, payload })),
    );
    expect(acks.some(({ waitMs = 0 }) => waitMs > 0)).toBe(true);
  });

  test('more than its newest message while others wait to be stored', async () => {
    const device = await seedMetricDevice(db.database);
    const { ingest, acks } = openMetricIngest(db.database);
    const block = samplesOf(Date.now() - HOUR_MS, 5);
    await Promise.all(
      [1, 2, 3].map((upTo) =>
        ingest.take({
          deviceId: device.deviceId,
          payload: messageOf(device.instanceId, block, upTo),
        }),
      ),
    );
    expect(acks).toEqual([{ deviceId: device.deviceId, upTo: 3 }]);
  });

  test('samples of another device, or of an instance that was replaced', async () => {
    const [own, other] = [await seedMetricDevice(db.database), await seedMetricDevice(db.database)];
    const { ingest, acks, refusals } = openMetricIngest(db.database);
    const block = samplesOf(Date.now() - HOUR_MS, 5);
    await ingest.take({ deviceId: own.deviceId, payload: messageOf(other.instanceId, block) });
    await ingest.take({
      deviceId: own.deviceId,
      payload: messageOf('mi-00000000000000000', block),
    });
    expect(acks).toEqual([]);
    expect([await countOf(own), await countOf(other)]).toEqual([0, 0]);
    expect(refusals.map(({ reason }) => reason)).toEqual(['not-admitted', 'not-admitted']);
  });

  test('a million values of a few bytes', async () => {
    const device = await seedMetricDevice(db.database);
    const { ingest, acks, refusals } = openMetricIngest(db.database);
    const writer = new BlockWriter();
    writer.byte(1);
    writer.unsigned(device.instanceId.length);
    writer.bytes(Buffer.from(device.instanceId));
    for (const number of [1, 0, 1_000_000, 2, 2]) writer.unsigned(number);
    const startedAt = performance.now();
    await ingest.take({ deviceId: device.deviceId, payload: writer.toBytes() });
    expect(performance.now() - startedAt).toBeLessThan(100);
    expect(acks).toEqual([]);
    expect(refusals[0]?.detail).toContain('more than 120 samples');
  });
});

test('messages beyond what a server holds are not acknowledged, and are stored when sent again', async () => {
  const [first, second] = [
    await seedMetricDevice(db.database),
    await seedMetricDevice(db.database),
  ];
  const { ingest, acks, skipped } = openMetricIngest(db.database, { mostQueuedBytes: 3_000 });
  const block = samplesOf(Date.now() - HOUR_MS, 5);
  const take = ({ deviceId, instanceId }: MetricDevice): Promise<void> =>
    ingest.take({ deviceId, payload: messageOf(instanceId, block, 5) });
  await Promise.all([take(first), take(second)]);
  expect(acks.map(({ deviceId }) => deviceId)).toEqual([first.deviceId]);
  expect(skipped).toEqual([['queue-full', 5]]);
  await take(second);
  expect(acks.map(({ deviceId }) => deviceId)).toEqual([first.deviceId, second.deviceId]);
  expect(await countOf(second)).toBeGreaterThan(0);
});

test('samples are not acknowledged if the database ends the connection before the commit', async () => {
  const device = await seedMetricDevice(db.database);
  const { ingest, acks } = openMetricIngest(db.database);
  const payload = messageOf(device.instanceId, samplesOf(Date.now() - HOUR_MS, 5), 5);
  const blocker = await db.database.pool.connect();
  await blocker.query('begin; lock table device_metric_pending in exclusive mode');
  const taken = ingest.take({ deviceId: device.deviceId, payload });
  await until(async () => {
    const ended = await rowsOf<{ pid: number }>(
      db.database,
      `select pid, pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query ilike '%device_metric_hour%'`,
    );
    return ended.length > 0;
  }, 10_000);
  await taken;
  await blocker.query('rollback');
  blocker.release();
  expect(acks).toEqual([]);
  expect(await countOf(device)).toBe(0);
  await ingest.take({ deviceId: device.deviceId, payload });
  expect(acks).toEqual([{ deviceId: device.deviceId, upTo: 5 }]);
  expect(await countOf(device)).toBeGreaterThan(0);
});

test('a flood beyond the quota is not stored, waits, and is one event of the audit trail', async () => {
  await using setup = await openGatewayFixture({ overflowWindowMs: 1_000 });
  const enrolled = await enrollTestDevice(setup);
  await using device = await connectDevice(setup, enrolled);
  const block = samplesOf(Date.now() - 2 * HOUR_MS, 110, (index) => ({
    ...{ cpuUsedPercent: index % 97, memoryUsedPercent: 40, diskUsedPercent: 50, loadAverage: 1 },
    ...{ networkLatencyMs: 20, networkLossPercent: 0, processRestarts: 0, clockOffsetMs: 5 },
  }));
  const payload = Buffer.from(messageOf(enrolled.instanceId, block, 110));
  const needed = Math.ceil(METRIC_QUOTA.burst / (110 * 8)) + 20;
  for (let sent = 0; sent < needed; sent += 1)
    await device.client.publishAsync(upTopic(enrolled.deviceId, 'metrics'), payload, { qos: 1 });
  const acks = () => device.messages.filter(({ channel }) => channel === 'metrics-ack');
  await until(() => acks().some(({ body }) => Number(body['waitMs']) > 0), 20_000);
  const events = () =>
    rowsOf<{ data: { counts: Record<string, number> } }>(
      setup.database,
      `select data from audit_event where device_id = $1 and type = 'device.over-limit'`,
      [enrolled.deviceId],
    );
  await until(async () => (await events()).length > 0, 20_000);
  expect((await events()).length).toBe(1);
  expect((await events())[0]?.data.counts['metrics']).toBeGreaterThan(0);
}, 60_000);
