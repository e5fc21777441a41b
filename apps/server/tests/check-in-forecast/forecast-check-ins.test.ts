import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { ensureAuditMonths } from '../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { forecastCheckIns } from '../../src/check-in-forecast/forecast-check-ins.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { setAuditClock } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let ids: readonly string[];
const HOUR_MS = 3_600_000;
const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const clock = () => new Date(nowMs);

/** Two devices that were offline for three hours each of the last ten days, from one hour before this time of day. */
beforeAll(async () => {
  db = await createTestDatabase();
  const device = (serialNumber: string, country: string) => ({
    ...{ serialNumber, name: serialNumber, model: 'kiosk', owner: null, country, labels: {} },
    software: [],
  });
  const created = await createDevices(db, {
    people: [],
    devices: [device('FORECAST01', 'DE'), device('FORECAST02', 'FR')],
  });
  ids = ['FORECAST01', 'FORECAST02'].map((serialNumber) => created.get(serialNumber) ?? '');
  await db.database.pool.query(
    `update device_status set connectivity = 'offline', connectivity_since = $1, lifecycle = 'active'`,
    [new Date(nowMs - HOUR_MS)],
  );
  await db.database.pool.query(`update device set lifecycle = 'active', time_zone = 'UTC'`);
  await writeHistory();
});
afterAll(() => db[Symbol.asyncDispose]());

async function writeHistory(): Promise<void> {
  for (let day = 10; day >= 1; day -= 1) {
    const thenMs = nowMs - day * 24 * HOUR_MS;
    await recordAt(new Date(thenMs - HOUR_MS), 'device.disconnected');
    await recordAt(new Date(thenMs + 2 * HOUR_MS), 'device.connected');
  }
  await setAuditClock(db, null);
}

async function recordAt(at: Date, type: string): Promise<void> {
  await ensureAuditMonths(db.database.orm, at);
  await setAuditClock(db, at);
  for (const id of ids) {
    await db.database.pool.query(
      `insert into audit_event (id, device_id, type, actor_kind, actor_name)
       values ($1, $2, $3, 'device', 'device')`,
      [newId(at.getTime()), id, type],
    );
  }
}

const forecast = (viewer = administrator) =>
  forecastCheckIns({ database: db.database, clock }, viewer, ids);

test('an offline device is expected when it was back on earlier days', async () => {
  const [first] = await forecast(limitedTo({ countries: ['DE'] }, ['devices:read']));
  expect(first).toMatchObject({ deviceId: ids[0], matched: 10, comparable: 10, basis: 'day' });
  expect(Date.parse(first?.by ?? '') - nowMs).toBe(2 * HOUR_MS);
});

test('devices outside the scope have no forecast', async () => {
  const found = await forecast(limitedTo({ countries: ['FR'] }, ['devices:read']));
  expect(found.map(({ deviceId }) => deviceId)).toEqual([ids[1]]);
});

test('a device that is connected has no forecast', async () => {
  await db.database.pool.query(
    `update device_status set connectivity = 'online' where device_id = $1`,
    [ids[0]],
  );
  expect((await forecast()).map(({ deviceId }) => deviceId)).toEqual([ids[1]]);
});
