import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MetricBlock } from '@deviceportal/device-protocol/metric-block';
import { readSamples } from '../../src/device-metrics/data/sample-queries.ts';
import { readStoredBlocks } from '../../src/device-metrics/stored-blocks.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  HOUR_MS,
  messageOf,
  openMetricIngest,
  samplesOf,
  seedMetricDevice,
  store,
  type MetricDevice,
} from './metrics-fixture.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

const hourStart = (): number => Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 2 * HOUR_MS;

async function storedOf({ deviceId }: Pick<MetricDevice, 'deviceId'>): Promise<MetricBlock[]> {
  const rows = await readSamples(db.database.orm, {
    deviceIds: [deviceId],
    fromHour: 0,
    toHour: 2 ** 31 - 1,
  });
  return rows.map(({ samples }) => readStoredBlocks(samples));
}

async function bytesOf({ deviceId }: MetricDevice): Promise<number> {
  const { rows } = await db.database.pool.query(
    'select coalesce(sum(octet_length(samples)), 0)::int as bytes from device_metric_hour where device_id = $1',
    [deviceId],
  );
  return Number(rows[0].bytes);
}

describe('samples', () => {
  test('are one row per device and hour, also of messages that reach into the next hour', async () => {
    const device = await seedMetricDevice(db.database);
    const block = samplesOf(hourStart() + 50 * 60_000, 20);
    await store(db.database, { deviceId: device.deviceId, block });
    const hours = await storedOf(device);
    expect(hours.map(({ times }) => times.length)).toEqual([10, 10]);
    expect(hours.flatMap(({ times }) => times)).toEqual(block.times);
  });

  test('that arrive twice, late, or in another order are stored once', async () => {
    const device = await seedMetricDevice(db.database);
    const [first, second] = [samplesOf(hourStart(), 5), samplesOf(hourStart() + 5 * 60_000, 5)];
    const { deviceId } = device;
    await store(db.database, { deviceId, block: second });
    await store(db.database, { deviceId, block: first });
    const versionOf = async (): Promise<unknown> => {
      const { rows } = await db.database.pool.query(
        'select ctid, octet_length(samples) from device_metric_hour where device_id = $1',
        [deviceId],
      );
      return rows;
    };
    const version = await versionOf();
    await store(db.database, { deviceId, block: first });
    await store(db.database, { deviceId, block: second });
    expect(await versionOf()).toEqual(version);
    // The agent may cut its messages in another way after a restart.
    await store(db.database, { deviceId, block: samplesOf(hourStart(), 10) });
    const [hour] = await storedOf(device);
    expect(hour?.times).toEqual(samplesOf(hourStart(), 10).times);
  });

  test('of several gateways at the same time are all stored', async () => {
    const devices = await Promise.all(
      Array.from({ length: 5 }, () => seedMetricDevice(db.database)),
    );
    const gateways = Array.from({ length: 4 }, () => openMetricIngest(db.database));
    await Promise.all(
      gateways.flatMap(({ ingest }, first) =>
        devices.map(async ({ deviceId, instanceId }) => {
          for (let part = first; part < 8; part += gateways.length) {
            const block = samplesOf(hourStart() + part * 5 * 60_000, 5);
            await ingest.take({ deviceId, payload: messageOf(instanceId, block, part + 1) });
          }
        }),
      ),
    );
    for (const device of devices)
      expect((await storedOf(device)).flatMap(({ times }) => times)).toHaveLength(40);
    expect(gateways.flatMap(({ acks }) => acks)).toHaveLength(40);
  });

  test('sent over and over stay small', async () => {
    const device = await seedMetricDevice(db.database);
    for (let cut = 1; cut <= 60; cut += 1)
      await store(db.database, { deviceId: device.deviceId, block: samplesOf(hourStart(), cut) });
    expect(await bytesOf(device)).toBeLessThan(10_000);
    expect((await storedOf(device))[0]?.times).toHaveLength(60);
  });

  test('of a device that measures every second are limited, and it is told so', async () => {
    const device = await seedMetricDevice(db.database);
    const { ingest, overflows } = openMetricIngest(db.database, { batchWaitMs: 1 });
    const secondsFrom = (first: number): MetricBlock => {
      const times = Array.from({ length: 120 }, (_, index) => hourStart() / 1_000 + first + index);
      const noisy = times.map((time) => (time * 7_919) % 1_000);
      return { times, columns: new Map([1, 2, 3, 4, 5, 7, 9].map((id) => [id, noisy])) };
    };
    for (let part = 0; part < 30; part += 1) {
      await ingest.take({
        deviceId: device.deviceId,
        payload: messageOf(device.instanceId, secondsFrom(part * 120)),
      });
    }
    expect(await bytesOf(device)).toBeLessThan(30_000);
    const [hour] = await storedOf(device);
    expect(hour?.times).toHaveLength(400);
    expect(overflows.some(({ kind }) => kind === 'metrics')).toBe(true);
  });

  test('that are damaged in the database do not keep those of other devices from being stored', async () => {
    const devices = [
      await seedMetricDevice(db.database),
      await seedMetricDevice(db.database),
      await seedMetricDevice(db.database),
    ] as const;
    const block = samplesOf(hourStart(), 5);
    const [, damaged] = devices;
    await db.database.pool.query(
      `insert into device_metric_hour (device_id, hour, samples)
       values ($1, $2, decode(repeat('ff', 50000), 'hex'))`,
      [damaged.deviceId, hourStart() / HOUR_MS],
    );
    const { ingest, acks, refusals, stored } = openMetricIngest(db.database);
    await Promise.all(
      devices.map(({ deviceId, instanceId }) =>
        ingest.take({ deviceId, payload: messageOf(instanceId, block, 5) }),
      ),
    );
    for (const device of [devices[0], devices[2]])
      expect((await storedOf(device))[0]?.times).toEqual(block.times);
    expect(stored.reduce((sum, count) => sum + count, 0)).toBe(2 * block.times.length);
    expect(refusals.map(({ deviceId }) => deviceId)).toEqual([damaged.deviceId]);
    expect(acks.map(({ deviceId, upTo }) => [deviceId, upTo]).toSorted()).toEqual(
      devices.map(({ deviceId }) => [deviceId, 5]).toSorted(),
    );
  });
});
