import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { TrafficPresence } from '../../src/gateway/iot/traffic-presence.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { quietLogger, rowsOf, seedDevices, until } from '../support/gateway-fixture.ts';

let db: TestDatabase;
let deviceId: string;
let traffic: TrafficPresence;
const handled: string[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(async () => {
  deviceId = newId();
  handled.length = 0;
  await seedDevices(db.database, [{ deviceId, instanceId: newInstanceId(), name: 'at iot' }]);
  traffic = new TrafficPresence(
    {
      database: db.database,
      changes: createLocalChangeFeed(() => {}),
      logger: quietLogger,
    },
    (ids) => handled.push(...ids),
  );
});

/** Offline since this moment, without a connection event. */
async function setOffline(since: Date): Promise<void> {
  await db.database.pool.query(
    `update device_status set connectivity = 'offline', connectivity_since = $2 where device_id = $1`,
    [deviceId, since],
  );
}

async function connectivity(): Promise<string | undefined> {
  const [row] = await rowsOf<{ state: string }>(
    db.database,
    'select connectivity as state from device_status where device_id = $1',
    [deviceId],
  );
  return row?.state;
}

const later = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1_000);

test('a message much later than the end of the connection sets the device to online', async () => {
  const since = new Date();
  await setOffline(since);
  traffic.note({ deviceId, receivedAt: later(since, 10) });
  await until(() => handled.includes(deviceId));
  expect(await connectivity()).toBe('online');
  await traffic[Symbol.asyncDispose]();
});

test('a message just after the end of the connection proves nothing, and a later one still does', async () => {
  const since = new Date();
  await setOffline(since);
  traffic.note({ deviceId, receivedAt: later(since, 1) });
  await until(async () => {
    // Noted for each message, until one is a proof.
    traffic.note({ deviceId, receivedAt: later(since, 10) });
    return handled.includes(deviceId);
  }, 5_000);
  expect(await connectivity()).toBe('online');
  await traffic[Symbol.asyncDispose]();
});

test('a message before the end of the connection leaves the device offline', async () => {
  const since = new Date();
  await setOffline(since);
  traffic.note({ deviceId, receivedAt: later(since, -1) });
  await traffic[Symbol.asyncDispose]();
  expect(await connectivity()).toBe('offline');
});
