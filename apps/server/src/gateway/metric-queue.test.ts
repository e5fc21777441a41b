import { expect, test } from 'vitest';
import { MetricQueue, type MetricDelivery } from './metric-queue.ts';

const deliveryOf = (deviceId: string, size: number): MetricDelivery => ({
  ...{ deviceId, size },
  message: { instanceId: '', upTo: size, dropped: 0, block: { times: [], columns: new Map() } },
});

test('a batch has a bounded number of values, and all are passed on', async () => {
  const batches: string[][] = [];
  await using queue = new MetricQueue({
    ...{ waitMs: 1, batchSize: 250 },
    handle: async (deliveries) => void batches.push(deliveries.map(({ deviceId }) => deviceId)),
  });
  const devices = Array.from({ length: 10 }, (_, index) => `device-${index}`);
  await Promise.all(devices.map((deviceId) => queue.add(deliveryOf(deviceId, 100))));
  expect(batches.map(({ length }) => length)).toEqual([3, 3, 3, 1]);
  expect(batches.flat()).toEqual(devices);
});

test('the newest message of a device takes the place of one that is still queued', async () => {
  const sizes: number[] = [];
  await using queue = new MetricQueue({
    waitMs: 1,
    handle: async (deliveries) => void sizes.push(...deliveries.map(({ size }) => size)),
  });
  const added = [1, 2].map((size) => queue.add(deliveryOf('one', size)));
  await Promise.all([...added, queue.add(deliveryOf('other', 3))]);
  expect(sizes).toEqual([2, 3]);
});

test('room is taken until a message is stored', async () => {
  const stored = Promise.withResolvers<void>();
  await using queue = new MetricQueue({
    ...{ waitMs: 1, mostBytes: 5_000 },
    handle: () => stored.promise,
  });
  const added = ['one', 'other'].map((deviceId) => queue.add(deliveryOf(deviceId, 10)));
  expect(queue.hasRoom(10)).toBe(false);
  stored.resolve();
  await Promise.all(added);
  expect(queue.hasRoom(10)).toBe(true);
});
