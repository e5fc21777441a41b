import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import {
  applyConnects,
  applyDisconnects,
  applyHeartbeats,
  markSilent,
  markUnknown,
} from '../../src/devices/data/apply-connectivity.ts';
import { applyInventory } from '../../src/devices/apply-inventory.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { getDevice } from '../../src/devices/get-device.ts';
import { applyPositions } from '../../src/locations/apply-position.ts';
import { inTransaction, type Transaction } from '../../src/platform/database/database.ts';
import { applySoftware } from '../../src/versions/apply-software.ts';
import { listDeviceVersions } from '../../src/versions/list-device-versions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { administrator } from './viewer-with.ts';

let db: TestDatabase;
let one: string;
let two: string;
let n = 0;

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  n += 1;
  const device = { model: null, country: null, labels: {} };
  const created = await createDevices(
    { database: db.database },
    {
      people: [],
      devices: [
        { ...device, serialNumber: `ONE${n}000`, name: 'one' },
        { ...device, serialNumber: null, name: 'two' },
      ],
    },
  );
  one = created.get(`ONE${n}000`) ?? '';
  two = created.get('two') ?? '';
});
afterAll(() => db[Symbol.asyncDispose]());

const apply = <Result>(work: (tx: Transaction) => Promise<Result>) =>
  inTransaction(db.database, work);
const detail = (id: string) =>
  getDevice(
    { database: db.database, clock: () => new Date('2026-11-20T12:00:00Z') },
    administrator,
    id,
  );
const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const connect = (deviceId: string, connectionId: string, time: string) => ({
  deviceId,
  connectionId,
  instanceId: 'mi-00000000000000001',
  agentVersion: '1.0.0',
  at: at(time),
  ipAddress: '10.0.0.1',
});
const heartbeat = (
  deviceId: string,
  time: string,
  failing: { part: string; fact: string }[] = [],
) => ({
  deviceId,
  at: at(time),
  failing,
  diskUsedPercent: 97,
  memoryUsedPercent: null,
  uptimeSeconds: 60,
  heartbeatSeconds: null,
});

test('the late will of an old connection does not end the new one', async () => {
  const [old, fresh] = [newId(), newId()];
  const connects = [
    connect(one, old, '10:00:00'),
    connect(one, fresh, '10:05:00'),
    connect(two, old, '10:00:00'),
  ];
  const changes = await apply((tx) => applyConnects(tx, connects));
  expect(changes.map(({ before, after }) => `${before} ${after}`)).toEqual([
    'never online',
    'never online',
  ]);
  const will = { deviceId: one, connectionId: old, reason: 'connection-lost', at: at('10:06:00') };
  expect(await apply((tx) => applyDisconnects(tx, [will]))).toEqual([]);
  expect((await detail(one)).connectivity).toBe('online');
  const end = { ...will, connectionId: fresh, reason: 'shutdown' };
  expect(await apply((tx) => applyDisconnects(tx, [end]))).toMatchObject([
    { deviceId: one, before: 'online', after: 'offline', reason: 'shutdown' },
  ]);
  expect(await detail(one)).toMatchObject({
    connectivity: 'offline',
    connectivitySince: '2026-11-20T10:06:00.000Z',
    lastSeenAt: '2026-11-20T10:06:00.000Z',
    disconnectReason: 'shutdown',
  });
});

test('heartbeats return only devices that become degraded or recover', async () => {
  await apply((tx) =>
    applyConnects(tx, [connect(one, newId(), '10:00:00'), connect(two, newId(), '10:00:00')]),
  );
  const full = [{ part: 'disk', fact: '97 % used' }];
  const beat = (time: string, failing = full) =>
    apply((tx) => applyHeartbeats(tx, [heartbeat(one, time, failing), heartbeat(two, time)]));
  expect(await beat('10:01:00')).toMatchObject([
    { deviceId: one, before: 'online', after: 'degraded', failing: full },
  ]);
  expect(await beat('10:02:00')).toEqual([]);
  expect(await detail(one)).toMatchObject({
    connectivitySince: '2026-11-20T10:01:00.000Z',
    failing: full,
    diskUsedPercent: 97,
  });
  expect(await beat('10:03:00', [])).toMatchObject([{ deviceId: one, after: 'online' }]);
  expect(await beat('10:00:30')).toEqual([]);
});

test('silence degrades an open connection with the failing check, until the device is heard from again', async () => {
  await apply((tx) =>
    applyConnects(tx, [connect(one, newId(), '10:00:00'), connect(two, newId(), '10:00:00')]),
  );
  await apply((tx) =>
    applyHeartbeats(tx, [heartbeat(one, '10:01:00'), heartbeat(two, '10:04:00')]),
  );
  const silent = await apply((tx) =>
    markSilent(tx, { silentSince: at('10:03:00'), at: at('10:05:00') }),
  );
  const mine = silent.filter((change) => [one, two].includes(change.deviceId));
  expect(mine).toMatchObject([
    { deviceId: one, after: 'degraded', failing: [{ part: 'heartbeat' }] },
  ]);
  await apply((tx) => applyConnects(tx, [connect(one, newId(), '10:06:00')]));
  expect(await detail(one)).toMatchObject({ connectivity: 'online', failing: [] });
});

test('after a restart of the server no device is online', async () => {
  await apply((tx) => applyConnects(tx, [connect(one, newId(), '10:00:00')]));
  const unknown = await apply((tx) => markUnknown(tx, at('11:00:00')));
  expect(unknown.map((change) => change.deviceId)).toContain(one);
  expect(await detail(one)).toMatchObject({
    connectivity: 'unknown',
    lastSeenAt: '2026-11-20T10:00:00.000Z',
  });
});

const inventory = (
  deviceId: string,
  facts: { serialNumber: string | null; model: string | null },
) => ({
  deviceId,
  instanceId: 'mi-00000000000000001',
  at: at('10:00:00'),
  platformType: 'Linux',
  platformName: 'Ubuntu',
  platformVersion: '24.04',
  architecture: 'x64',
  agentVersion: '1.0.1',
  hostName: 'host',
  ipAddress: '10.0.0.9',
  hardwareRevision: 'r2',
  timeZone: 'Europe/Berlin',
  details: { cpu: 4 },
  ...facts,
});

test('a reported value fills gaps and takes no serial number from another device', async () => {
  const taken = await apply((tx) =>
    applyInventory(tx, [inventory(two, { serialNumber: `ONE${n}000`, model: 'kiosk' })]),
  );
  expect(taken).toEqual([
    {
      deviceId: two,
      changed: { model: 'kiosk', hardwareRevision: 'r2', timeZone: 'Europe/Berlin' },
      before: { model: null, hardwareRevision: null, timeZone: null },
    },
  ]);
  const both = [
    inventory(one, { serialNumber: 'OTHER999', model: 'meter' }),
    inventory(two, { serialNumber: `fresh${n}00`, model: 'meter' }),
  ];
  const changes = await apply((tx) => applyInventory(tx, both));
  expect(changes.find((change) => change.deviceId === two)?.changed).toEqual({
    serialNumber: `FRESH${n}00`,
  });
  expect(await detail(one)).toMatchObject({
    serialNumber: `ONE${n}000`,
    model: 'meter',
    inventory: { cpu: 4 },
  });
  expect(await detail(`FRESH${n}00`)).toMatchObject({ id: two, model: 'kiosk', platform: 'Linux' });
  expect(await apply((tx) => applyInventory(tx, both))).toEqual([]);
});

test('a list of components changes those that differ, keeps history, and removes missing ones', async () => {
  const report = (time: string, ...components: [component: string, version: string][]) =>
    apply((tx) =>
      applySoftware(tx, [
        {
          deviceId: one,
          at: at(time),
          components: components.map(([component, version]) => ({ component, version })),
        },
      ]),
    );
  await report('10:00:00', ['firmware', '4.17.9'], ['os', '24.04']);
  const changes = await report('11:00:00', ['firmware', '4.18.1'], ['app', '1.0']);
  expect(changes).toEqual([
    { deviceId: one, component: 'app', before: null, after: '1.0' },
    { deviceId: one, component: 'firmware', before: '4.17.9', after: '4.18.1' },
    { deviceId: one, component: 'os', before: '24.04', after: null },
  ]);
  expect(await report('11:30:00', ['firmware', '4.18.1'], ['app', '1.0'])).toEqual([]);
  const device = await detail(one);
  expect(device.softwareVersion).toBe('4.18.1');
  expect(
    device.software.map(({ component, since, reportedAt }) => [
      component,
      since.slice(11, 16),
      reportedAt.slice(11, 16),
    ]),
  ).toEqual([
    ['app', '11:00', '11:30'],
    ['firmware', '11:00', '11:30'],
  ]);
  const history = await listDeviceVersions({ database: db.database }, administrator, one);
  expect(
    history
      .filter((change) => change.component === 'firmware')
      .map(({ version, previousVersion }) => [previousVersion, version]),
  ).toEqual([
    ['4.17.9', '4.18.1'],
    [null, '4.17.9'],
  ]);
});

test('an older location is added to the history and does not change the current one', async () => {
  const position = (time: string, latitude: number) => ({
    deviceId: one,
    at: at(time),
    latitude,
    longitude: 10,
    accuracyMeters: 5,
    source: 'gps' as const,
  });
  expect(
    await apply((tx) => applyPositions(tx, [position('10:00:00', 50), position('11:00:00', 51)])),
  ).toEqual([one]);
  expect(await apply((tx) => applyPositions(tx, [position('09:00:00', 40)]))).toEqual([]);
  expect((await detail(one)).place).toMatchObject({ latitude: 51, precise: false });
  const { rows } = await db.database.pool.query(
    'select count(*)::int as n from geolocation where device_id = $1',
    [one],
  );
  expect(rows[0].n).toBe(3);
});

test('two batches with the same devices in opposite order both succeed', async () => {
  const connection = newId();
  const rows = [connect(one, connection, '10:00:00'), connect(two, connection, '10:00:00')];
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([
      apply((tx) => applyConnects(tx, rows)),
      apply((tx) => applyConnects(tx, rows.toReversed())),
      apply((tx) => applyHeartbeats(tx, [heartbeat(two, '10:01:00'), heartbeat(one, '10:01:00')])),
    ]);
  }
  expect((await detail(one)).connectivity).toBe('online');
});
