import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareSimilarDevices } from '../../src/similar-devices/compare-similar-devices.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
let ids: ReadonlyMap<string, string>;
const clock = () => new Date('2026-11-20T12:00:00Z');
const serial = (number: number): string => `TWIN${String(number).padStart(4, '0')}`;

beforeAll(async () => {
  db = await createTestDatabase();
  const device = (number: number, firmware: string, model = 'kiosk') => ({
    serialNumber: serial(number),
    name: serial(number),
    model,
    owner: null,
    country: ['DE', 'PL', 'FR', 'ES'][number % 4] ?? 'DE',
    labels: {},
    software: [{ component: 'firmware', version: firmware }],
  });
  ids = await createDevices(db, {
    people: [],
    devices: [
      device(0, '2.0.0'),
      ...Array.from({ length: 20 }, (_, index) => device(index + 1, '1.0.0')),
      device(21, '1.0.0', 'sensor'),
    ],
  });
  await db.database.pool.query(`
    update device set lifecycle = 'active';
    update device_status set lifecycle = 'active', connectivity = 'online', seen_rank = 'infinity'`);
});
afterAll(() => db[Symbol.asyncDispose]());

const compare = (number: number, viewer = administrator) =>
  compareSimilarDevices({ database: db.database, clock }, viewer, ids.get(serial(number)) ?? '');

test('reports an unusual version compared with healthy devices of the model', async () => {
  const comparison = await compare(0);
  expect(comparison).toMatchObject({ model: 'kiosk', healthy: 20, finding: null });
  expect(comparison.healthyDevices).toHaveLength(5);
  expect(comparison.differences).toMatchObject([
    {
      kind: 'software',
      name: 'firmware',
      own: '2.0.0',
      usual: '1.0.0',
      usualShare: 1,
      sameShare: 0,
    },
  ]);
});

test('ignores devices with a finding', async () => {
  await db.database.pool.query(
    `insert into finding (rule, device_id, severity, facts, opened_at)
     select 'disk-full', id, 'error', '{}', now() from device where serial_number = $1`,
    [serial(1)],
  );
  expect((await compare(0)).healthy).toBe(19);
  await db.database.pool.query('delete from finding');
});

test('finds devices with the same finding, whether they are connected or have been off for long', async () => {
  await db.database.pool.query(
    `insert into finding (rule, device_id, severity, facts, opened_at)
     select 'disk-full', id, 'error', '{}', now() from device where serial_number = any($1)`,
    [[0, 1, 2, 3, 21].map(serial)],
  );
  await db.database.pool.query(
    `update device_status set disk_used_percent = 99, heartbeat_at = $2 where device_id = $1`,
    [ids.get(serial(0)), clock()],
  );
  await db.database.pool.query(
    `update device_status set seen_rank = '-infinity' where device_id = $1`,
    [ids.get(serial(3))],
  );
  const { finding } = await compare(0);
  expect(finding).toMatchObject({ rule: 'disk-full', devices: 3 });
  const shown = finding?.shown.map(({ serialNumber }) => serialNumber) ?? [];
  expect(shown.at(-1)).toBe(serial(3));
  expect(new Set(shown)).toEqual(new Set([1, 2, 3].map(serial)));
  await db.database.pool.query('delete from finding');
  await db.database.pool.query(
    `update device_status set seen_rank = 'infinity', disk_used_percent = null`,
  );
});

test("compares only with devices within the viewer's scope", async () => {
  const german = limitedTo({ countries: ['DE'] }, ['devices:read']);
  const { healthy, healthyDevices } = await compare(0, german);
  expect(healthy).toBe(5);
  const numbers = healthyDevices.map(({ serialNumber }) => Number(serialNumber?.slice(4)));
  expect(numbers.every((number) => number % 4 === 0)).toBe(true);
  await expect(compare(1, german)).rejects.toMatchObject({ code: 6000 });
});

test('returns no comparison when the model has too few devices', async () => {
  expect(await compare(21)).toEqual({
    model: 'sensor',
    healthy: 0,
    healthyDevices: [],
    finding: null,
    differences: [],
    more: 0,
  });
});
