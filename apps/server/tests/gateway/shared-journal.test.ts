import { randomUUID } from 'node:crypto';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JournalIngest } from '../../src/gateway/journal/ingest-journal.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { quietLogger, rowsOf, seedDevices } from '../support/gateway-fixture.ts';
import { testDeviceKeys } from '../support/run-signing.ts';
import { testConnection } from '../support/brokers/test-connection.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

function openIngest(): JournalIngest {
  return new JournalIngest(
    {
      database: database.database,
      changes: createLocalChangeFeed(() => {}),
      transport: {
        ownsConnections: false,
        listeningMs: () => Number.POSITIVE_INFINITY,
        start: () => Promise.resolve(),
        publish: () => {},
        disconnect: () => {},
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
      authority: {
        authorities: '',
        isRotating: false,
        sign: () => Promise.reject(new Error('not expected')),
      },
      deviceKeys: testDeviceKeys(),
      connection: testConnection(),
      logger: quietLogger,
      clock: () => new Date(),
    },
    { refusals: { record() {} }, overflow: { note() {} } },
    { gapPatienceMs: 0 },
  );
}

test("applies each entry once on two servers that share a device's messages, without a resend", async () => {
  const deviceId = newId();
  const instanceId = newInstanceId();
  await seedDevices(database.database, [{ deviceId, instanceId, name: 'shared' }]);
  await using first = openIngest();
  await using second = openIngest();
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
