import { randomUUID } from 'node:crypto';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, seedDevices } from '../support/gateway-fixture.ts';
import { openIngest } from './open-ingest.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test("applies each entry once on two servers that share a device's messages, without a resend", async () => {
  const deviceId = newId();
  const instanceId = newInstanceId();
  await seedDevices(database.database, [{ deviceId, instanceId, name: 'shared' }]);
  await using first = openIngest(database.database);
  await using second = openIngest(database.database);
  const epoch = randomUUID();
  // As many as an agent has in flight.
  const MESSAGES = 8;
  const send = (seq: number): Promise<unknown> => {
    const entry = { seq, at: new Date().toISOString(), kind: 'event', type: 'test', data: {} };
    const payload = Buffer.from(JSON.stringify({ instanceId, epoch, oldest: 1, entries: [entry] }));
    return (seq % 2 === 0 ? first : second).take({ deviceId, payload });
  };
  // Of each pair the later one comes first, and everything comes twice: none of it is a gap.
  const order = Array.from({ length: MESSAGES }, (_, index) => index + (index % 2 === 0 ? 2 : 0));
  await Promise.all([...order, ...order].map(send));
  const events = await rowsOf<{ type: string; count: number }>(
    database.database,
    'select type, count(*)::int as count from audit_event where device_id = $1 group by type',
    [deviceId],
  );
  expect(events).toEqual([{ type: 'device-event.test', count: MESSAGES }]);
});
