import { afterAll, beforeAll, expect, test } from 'vitest';
import { upTopic } from '@deviceportal/device-protocol/topics';
import { createGateway } from '../../src/gateway/gateway.ts';
import {
  gatewayDependencies,
  HOUR_MS,
  messageOf,
  samplesOf,
  seedMetricDevice,
  type MetricsAcked,
} from '../device-metrics/metrics-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { until } from '../support/until.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

test('metrics in the queue of devices do not hold back what is behind them', async () => {
  const { deviceId, instanceId } = await seedMetricDevice(db.database);
  const payload = messageOf(instanceId, samplesOf(Date.now() - HOUR_MS, 5), 5);
  const body = JSON.stringify({
    topic: upTopic(deviceId, 'metrics'),
    payload: Buffer.from(payload).toString('base64'),
  });
  const waiting = [{ receipt: 'metrics', body, sentAt: new Date(), deliveries: 1 }];
  const removed: string[] = [];
  const acks: MetricsAcked[] = [];
  const blocker = await db.database.pool.connect();
  await blocker.query('begin; lock table device_metric_hour in exclusive mode');
  await using _gateway = await createGateway({
    ...gatewayDependencies(db.database, (ack) => void acks.push(ack)),
    onConnected() {},
    queue: {
      carriesEverything: true,
      maxMessageBytes: 100_000,
      messages: {
        describe: async () => ({ hasDeadLetters: true, waiting: waiting.length }),
        receive: async (signal) => {
          if (waiting.length === 0)
            await new Promise((_resolve, reject) => {
              signal.addEventListener('abort', reject);
            });
          return waiting.splice(0);
        },
        remove: async (receipts) => void removed.push(...receipts),
        postpone: async () => {},
      },
    },
  });
  await until(() => removed.length > 0, 5_000);
  expect(removed).toEqual(['metrics']);
  expect(acks).toEqual([]);
  await blocker.query('rollback');
  blocker.release();
  await until(() => acks.length > 0, 10_000);
  expect(acks).toEqual([{ deviceId, upTo: 5 }]);
});
