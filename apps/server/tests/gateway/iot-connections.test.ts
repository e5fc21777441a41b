import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { ConnectionIngest } from '../../src/gateway/iot/ingest-connections.ts';
import type { ConnectionReport } from '../../src/gateway/iot/connection-report.ts';
import { HeartbeatIngest } from '../../src/gateway/ingest-heartbeats.ts';
import { StatusIngest } from '../../src/gateway/ingest-status.ts';
import type { GatewayDependencies } from '../../src/gateway/gateway-dependencies.ts';
import type { Refusal } from '../../src/gateway/device-transport.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { testConnection } from '../support/brokers/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { quietLogger, rowsOf, seedDevices } from '../support/gateway-fixture.ts';
import { testDeviceKeys } from '../support/run-signing.ts';

const START = Date.now();
const at = (seconds: number): Date => new Date(START + seconds * 1_000);
const FINGERPRINT = 'a'.repeat(64);
const RENEWED = 'b'.repeat(64);

let db: TestDatabase;
let deps: GatewayDependencies;
let connections: ConnectionIngest;
let statuses: StatusIngest;
let heartbeats: HeartbeatIngest;
let deviceId: string;
let instanceId: string;
const disconnected: string[] = [];
const settled: string[] = [];
const refused: Refusal[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  deps = {
    database: db.database,
    changes: createLocalChangeFeed(() => {}),
    transport: {
      ownsConnections: false,
      listeningMs: () => 0,
      start: () => Promise.resolve(),
      publish() {},
      disconnect: (ids) => void disconnected.push(...ids),
      settleCertificates: (ids) => void settled.push(...ids),
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
  };
  const refusals = { record: (refusal: Refusal) => void refused.push(refusal) };
  const recorders = { refusals, overflow: { note() {} } };
  connections = new ConnectionIngest(deps, refusals);
  statuses = new StatusIngest(deps, recorders, () => {});
  heartbeats = new HeartbeatIngest(deps, recorders, { onHeard() {}, waitMs: 1 });
});
afterAll(async () => {
  for (const part of [connections, statuses, heartbeats]) await part[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});
beforeEach(async () => {
  for (const list of [disconnected, settled, refused]) list.length = 0;
  [deviceId, instanceId] = [newId(), newInstanceId()];
  await seedDevices(db.database, [
    { deviceId, instanceId, name: 'at iot', fingerprint: FINGERPRINT },
  ]);
});

const report = (
  isConnected: boolean,
  version: number,
  seconds: number,
  fingerprint = FINGERPRINT,
): Promise<void> => {
  const event: ConnectionReport = {
    ...{ deviceId, version, at: at(seconds), isConnected, fingerprint },
    address: '203.0.113.9',
    isOrderly: false,
  };
  return connections.take(event);
};
const up = (message: object, seconds: number) => ({
  deviceId,
  payload: Buffer.from(JSON.stringify(message)),
  receivedAt: at(seconds),
});
const birth = (seconds: number): Promise<void> =>
  statuses.take(
    up(
      {
        ...{ state: 'online', connectionId: randomUUID(), instanceId },
        ...{ agentVersion: '1.0.0', reason: null },
      },
      seconds,
    ),
  );
const heartbeat = (seconds: number): Promise<void> =>
  heartbeats.take(
    up(
      {
        ...{ instanceId, at: at(seconds).toISOString(), everySeconds: 900, failing: [] },
        ...{ diskUsedPercent: 1, memoryUsedPercent: 1, uptimeSeconds: 1 },
      },
      seconds,
    ),
  );

async function connectivity(): Promise<string> {
  const [row] = await rowsOf<{ state: string }>(
    db.database,
    'select connectivity as state from device_status where device_id = $1',
    [deviceId],
  );
  return row?.state ?? '';
}

async function auditTypes(): Promise<string[]> {
  const rows = await rowsOf<{ type: string }>(
    db.database,
    `select type from audit_event where device_id = $1 and type like 'device.%connected' order by id`,
    [deviceId],
  );
  return rows.map(({ type }) => type);
}

test('the end of a connection makes the device offline, once for all duplicates', async () => {
  await report(true, 1, 0);
  await birth(0.1);
  expect(await connectivity()).toBe('online');
  await Promise.all([report(false, 1, 60), report(false, 1, 60)]);
  await report(false, 1, 60);
  await report(true, 1, 0);
  expect(await connectivity()).toBe('offline');
  expect(await auditTypes()).toEqual(['device.connected', 'device.disconnected']);
});

test('the late end of an earlier connection does not end the present one', async () => {
  await report(true, 1, 0);
  await birth(0.1);
  await birth(30.1);
  await report(false, 1, 30);
  expect(await connectivity()).toBe('online');
  await report(true, 2, 30);
  await report(false, 1, 30);
  expect(await connectivity()).toBe('online');
});

test('a birth message that arrives after the end of its connection does not make the device online', async () => {
  await report(true, 1, 0);
  await report(false, 1, 10);
  await birth(0.1);
  expect(await connectivity()).toBe('never');
  await birth(20);
  expect(await connectivity()).toBe('online');
});

test('a heartbeat that arrives after the end of its connection does not bring the device back', async () => {
  await birth(0);
  await db.database.pool.query(
    `update device_status set connectivity = 'offline', disconnect_reason = 'silent' where device_id = $1`,
    [deviceId],
  );
  await report(false, 1, 60);
  await heartbeat(30);
  expect(await connectivity()).toBe('offline');
  await heartbeat(90);
  expect(await connectivity()).toBe('online');
});

test('versions that begin again after an hour without a connection are newer', async () => {
  await report(true, 7, 0);
  await birth(0.1);
  await report(false, 7, 10);
  await report(true, 0, 4_000);
  await birth(4_000.1);
  await report(false, 0, 4_010);
  expect(await connectivity()).toBe('offline');
  expect(await auditTypes()).toHaveLength(4);
});

test('a connection with a certificate that is not the device’s own is ended and recorded', async () => {
  await report(true, 1, 0, 'f'.repeat(64));
  expect(disconnected).toEqual([deviceId]);
  expect(refused).toMatchObject([{ deviceId, reason: 'not-admitted', address: '203.0.113.9' }]);
});

test('a connection of a suspended device is ended', async () => {
  await db.database.pool.query(`update device set lifecycle = 'suspended' where id = $1`, [
    deviceId,
  ]);
  await report(true, 1, 0);
  expect(disconnected).toEqual([deviceId]);
  expect(refused).toMatchObject([{ detail: 'suspended' }]);
});

test('a renewed certificate replaces the earlier one at its first use', async () => {
  await db.database.pool.query(
    `insert into registered_certificate (fingerprint, device_id, instance_id, starts_at, ends_at)
     values ($1, $2, $3, now(), now() + interval '90 days')`,
    [RENEWED, deviceId, instanceId],
  );
  await report(true, 1, 0, RENEWED);
  const [row] = await rowsOf<{ fingerprint: string }>(
    db.database,
    'select certificate_fingerprint as fingerprint from device_instance where id = $1',
    [instanceId],
  );
  expect(row?.fingerprint).toBe(RENEWED);
  expect(disconnected).toEqual([]);
  expect(settled).toEqual([deviceId]);
});
