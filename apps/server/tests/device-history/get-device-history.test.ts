import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { getDeviceHistory } from '../../src/device-history/get-device-history.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { recordAuditAt } from '../support/audit/record-audit-at.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const ana = { kind: 'user' as const, id: 'u-ana', name: 'ana@example.com', address: '10.0.0.1' };
let db: TestDatabase;
let deviceId = '';

const at = (hour: string): Date => new Date(`2026-11-20T${hour}:00Z`);

beforeAll(async () => {
  db = await createTestDatabase();
  const ids = await createDevices(db, {
    people: [],
    devices: [
      {
        serialNumber: 'THEN0001',
        name: 'Kiosk 7',
        model: 'kiosk',
        owner: null,
        country: 'DE',
        labels: {},
        software: [],
      },
    ],
  });
  deviceId = ids.get('THEN0001') ?? '';
  await tell();
  await report();
});
afterAll(() => db[Symbol.asyncDispose]());

/** 08:00 connected, 10:00 renamed by Ana, 11:00 disconnected. */
async function tell(): Promise<void> {
  const actor = { kind: 'device' as const, id: deviceId, name: 'Kiosk 7', address: null };
  await recordAuditAt(db, [
    {
      type: 'device.connected',
      at: at('08:00'),
      deviceId,
      actor,
      data: { connectivity: 'online' },
    },
    {
      ...{ type: 'device.updated', at: at('10:00'), deviceId, actor: ana },
      data: { before: { name: 'Old name' }, after: { name: 'Kiosk 7' } },
    },
    {
      type: 'device.disconnected',
      at: at('11:00'),
      deviceId,
      actor,
      data: { reason: 'timeout' },
    },
  ]);
}

async function report(): Promise<void> {
  await db.database.pool.query(
    `insert into device_version_history (device_id, component, version, at)
       values ($1, 'firmware', '1.0.0', '2026-11-20T07:00Z'), ($1, 'firmware', '2.0.0', '2026-11-20T10:30Z')`,
    [deviceId],
  );
  await db.database.pool.query(
    `insert into device_version (device_id, component, version, since, reported_at)
       values ($1, 'firmware', '2.0.0', '2026-11-20T10:30Z', now())`,
    [deviceId],
  );
  await db.database.pool.query(
    `insert into finding_history (device_id, rule, severity, facts, opened_at, closed_at)
       values ($1, 'disk-full', 'error', '{}', '2026-11-20T08:30Z', '2026-11-20T09:30Z')`,
    [deviceId],
  );
  await db.database.pool.query(
    `insert into geolocation (device_id, at, latitude, longitude, accuracy_meters, source, country)
       values ($1, '2026-11-20T08:00Z', 52.5234, 13.4114, 10, 'gps', 'DE')`,
    [deviceId],
  );
  await db.database.pool.query("update device_status set connectivity = 'offline'");
}

/** At noon of a later day. */
const deps = (day = '2026-11-24', softwareHistoryDays = 730) => ({
  database: db.database,
  clock: () => new Date(`${day}T12:00:00Z`),
  softwareHistoryDays,
});

async function look(hour: string, viewer: Viewer = administrator) {
  const found = await getDeviceHistory(deps(), viewer, { deviceId, at: at(hour) });
  const fact = (wanted: string) => found.facts.find(({ fact: each }) => each === wanted);
  return { ...found, fact };
}

test('returns earlier and current values, and who changed them', async () => {
  const { fact, findings } = await look('09:00');
  expect(fact('connectivity')).toMatchObject({ earlier: 'online', now: 'offline', differs: true });
  expect(fact('name')).toMatchObject({
    earlier: 'Old name',
    now: 'Kiosk 7',
    changedAt: at('10:00').toISOString(),
    changedBy: { name: 'ana@example.com' },
  });
  expect(fact('software')).toMatchObject({ name: 'firmware', earlier: '1.0.0', now: '2.0.0' });
  expect(fact('country')).toMatchObject({ earlier: 'DE', now: 'DE', differs: false });
  expect(findings).toMatchObject([{ rule: 'disk-full', earlier: true, now: false }]);
});

test('returns nothing from before the device was added', async () => {
  const { fact } = await look('06:00');
  expect(fact('connectivity')).toMatchObject({ earlier: 'never' });
  expect(fact('software')).toMatchObject({ earlier: null, now: '2.0.0' });
});

test('returns unknown software before the retention of software changes', async () => {
  const earlier = async (hour: string) => {
    const asked = { deviceId, at: at(hour) };
    const { facts } = await getDeviceHistory(deps('2026-11-25', 5), administrator, asked);
    return facts.find(({ fact }) => fact === 'software');
  };
  expect(await earlier('06:00')).toMatchObject({ isKnown: false, differs: false });
  expect(await earlier('09:00')).toMatchObject({ isKnown: true, earlier: '1.0.0' });
});

test('omits findings that had ended, and shows no differences after the last change', async () => {
  const { facts, findings } = await look('11:30');
  expect(findings).toEqual([]);
  expect(facts.filter(({ differs, fact }) => differs && fact !== 'place')).toEqual([]);
});

test('rounds locations, omits them without permission, and masks people', async () => {
  expect((await look('09:00')).fact('place')).toMatchObject({ earlier: '52.5, 13.4 (DE)' });
  const { fact } = await look('09:00', limitedTo({}, ['devices:read']));
  expect(fact('place')).toBeUndefined();
  expect(fact('name')?.changedBy?.name).toBe('a•••');
});

test('does not find a device outside the scope', async () => {
  const polish = limitedTo({ countries: ['PL'] }, ['devices:read']);
  await expect(look('09:00', polish)).rejects.toMatchObject({ code: 6000 });
});
