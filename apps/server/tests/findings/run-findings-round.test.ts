import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deviceFilterSchema } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import { recordAudit } from '../../src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../../src/audit-trail/sealing/seal-audit-trail.ts';
import {
  applyConnects,
  applyDisconnects,
  applyHeartbeats,
} from '../../src/devices/data/apply-connectivity.ts';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { getDevice } from '../../src/devices/get-device.ts';
import { listDevices } from '../../src/devices/list/list-devices.ts';
import { createFindingCounts } from '../../src/findings/count-findings.ts';
import { runFindingsRound } from '../../src/findings/run-findings-round.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { administrator, limitedTo } from '../devices/viewer-with.ts';
import { sealing } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

const START = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
let db: TestDatabase;
let ids: ReadonlyMap<string, string>;
let nowMs = START;
const told: string[] = [];
const changes = createLocalChangeFeed(() => {});
const clock = () => new Date(nowMs);
const german = limitedTo({ countries: ['DE'] }, ['devices:read']);

beforeAll(async () => {
  db = await createTestDatabase();
  const device = (serialNumber: string, country: string) => ({
    serialNumber,
    name: serialNumber,
    model: 'kiosk',
    owner: null,
    country,
    labels: {},
    software: [{ component: 'firmware', version: '1.0.0' }],
  });
  ids = await createDevices(db, {
    people: [],
    devices: [device('FIND0001', 'DE'), device('FIND0002', 'PL'), device('FIND0003', 'PL')],
  });
  await db.database.pool.query("update device set lifecycle = 'active'");
  changes.subscribe((change) => {
    if (change.kind === 'device-changed') told.push(...change.deviceIds);
  });
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(() => told.splice(0));

const idOf = (serial: string): string => ids.get(serial) ?? '';

/** Runs rounds until no work is pending. */
async function settle(): Promise<void> {
  await sealAuditTrail(sealing(db));
  const deps = {
    database: db.database,
    changes,
    clock,
    ruleSettings: { supportedCountries: [] },
  };
  while (await runFindingsRound(deps));
}

async function tellOf(
  serial: string,
  type: 'device.connected' | 'device.disconnected' | 'device.degraded' | 'device.recovered',
) {
  await inTransaction(db.database, (tx) =>
    recordAudit(tx, [
      {
        type,
        at: clock(),
        deviceId: idOf(serial),
        actor: { kind: 'device', id: idOf(serial), name: serial, address: null },
      },
    ]),
  );
}

async function connect(serial: string): Promise<void> {
  const row = {
    deviceId: idOf(serial),
    connectionId: newId(),
    instanceId: 'mi-00000000000000000',
    agentVersion: '1',
    at: clock(),
    ipAddress: null,
  };
  await inTransaction(db.database, (tx) => applyConnects(tx, [row]));
  await tellOf(serial, 'device.connected');
}

async function disconnect(serial: string): Promise<void> {
  const row = {
    deviceId: idOf(serial),
    connectionId: null,
    reason: 'connection-lost',
    at: clock(),
  };
  await inTransaction(db.database, (tx) => applyDisconnects(tx, [row]));
  await tellOf(serial, 'device.disconnected');
}

async function beat(serial: string, diskUsedPercent: number): Promise<void> {
  const failing =
    diskUsedPercent >= 95 ? [{ part: 'disk', fact: `${diskUsedPercent} % used` }] : [];
  const row = {
    deviceId: idOf(serial),
    at: clock(),
    failing,
    diskUsedPercent,
    memoryUsedPercent: 5,
    uptimeSeconds: 5,
    heartbeatSeconds: null,
  };
  await inTransaction(db.database, (tx) => applyHeartbeats(tx, [row]));
  await tellOf(serial, failing.length > 0 ? 'device.degraded' : 'device.recovered');
}

async function listed(viewer: Viewer, finding: string): Promise<string[]> {
  const page = await listDevices({ database: db.database, clock }, viewer, {
    filter: deviceFilterSchema.parse({
      tokens: [{ key: 'finding', operator: '=', values: [finding] }],
    }),
    sort: 'serialNumber',
    descending: false,
    pageSize: 25,
    cursor: null,
  });
  return page.rows.map(({ serialNumber }) => serialNumber ?? '');
}

const past = async (serial: string) =>
  (
    await db.database.pool.query(
      'select rule, severity, closed_at > opened_at as later from finding_history where device_id = $1 order by id',
      [idOf(serial)],
    )
  ).rows;

test('a finding opens with its event, is listed, counted, and shown on the device, and closes into the history', async () => {
  await settle();
  await connect('FIND0001');
  await beat('FIND0001', 98);
  await settle();
  expect(told).toContain(idOf('FIND0001'));
  expect(await listed(administrator, 'disk-full')).toEqual(['FIND0001']);
  expect(await listed(administrator, 'any')).toEqual(['FIND0001']);
  const counts = await createFindingCounts({ database: db.database, clock })(administrator);
  expect(counts).toMatchObject({
    rules: [{ rule: 'disk-full', errors: 1, warnings: 0 }],
    devices: 1,
    progress: null,
  });
  const detail = await getDevice({ database: db.database, clock }, administrator, 'FIND0001');
  expect(detail.verdicts[0]).toMatchObject({
    code: 'disk-full',
    suggestedCommand: 'storage/clean',
    facts: { percent: 98 },
  });
  expect(detail.findings).toEqual([{ rule: 'disk-full', severity: 'error' }]);
  nowMs += HOUR_MS;
  await beat('FIND0001', 40);
  await settle();
  expect(await listed(administrator, 'disk-full')).toEqual([]);
  expect(await past('FIND0001')).toEqual([{ rule: 'disk-full', severity: 'error', later: true }]);
});

test('silence is found at its time without an event, by the usual pattern of the device', async () => {
  // Absences of one minute: three hours are unusual, and are noticed without an event.
  for (let round = 0; round < 5; round += 1) {
    await connect('FIND0002');
    nowMs += 2 * HOUR_MS;
    await disconnect('FIND0002');
    nowMs += 60_000;
  }
  await connect('FIND0003');
  await disconnect('FIND0003');
  await settle();
  expect(await listed(administrator, 'unusual-silence')).toEqual([]);
  nowMs += 3 * HOUR_MS;
  await settle();
  expect(await listed(administrator, 'unusual-silence')).toEqual(['FIND0002']);
  nowMs += 22 * HOUR_MS;
  await settle();
  expect(await listed(administrator, 'unusual-silence')).toEqual(['FIND0002', 'FIND0003']);
  await connect('FIND0002');
  await settle();
  expect(await listed(administrator, 'unusual-silence')).toEqual(['FIND0003']);
});

test('findings outside the scope are neither listed nor counted', async () => {
  expect(await listed(german, 'any')).toEqual([]);
  const counts = await createFindingCounts({ database: db.database, clock })(german);
  expect(counts).toMatchObject({ rules: [], devices: 0 });
});

test('an approval starts a sweep of the whole fleet', async () => {
  await db.database.pool.query(
    `insert into version_approval (component, model, country, version, approved_by) values ('firmware', 'kiosk', '*', '2.0.0', 'x')`,
  );
  await db.database.pool.query(
    `update version_cell set state = tav_state(component, version, model, country)`,
  );
  await inTransaction(db.database, (tx) =>
    recordAudit(tx, [
      {
        type: 'version.approval-set',
        actor: { kind: 'system', id: null, name: 'Device Portal', address: null },
      },
    ]),
  );
  await settle();
  await settle();
  expect(await listed(administrator, 'behind-approved')).toEqual([
    'FIND0001',
    'FIND0002',
    'FIND0003',
  ]);
});

test('a second evaluation without changes writes nothing', async () => {
  const before = await db.database.pool.query(
    'select xmin, * from finding order by rule, device_id',
  );
  await db.database.pool.query(
    "update finding_progress set sealed_up_to = 0, swept_to = '00000000-0000-0000-0000-000000000000'",
  );
  told.splice(0);
  await db.database.pool.query('delete from device_rhythm');
  await settle();
  const after = await db.database.pool.query(
    'select xmin, * from finding order by rule, device_id',
  );
  expect(after.rows).toEqual(before.rows);
  expect(told).toEqual([]);
});
