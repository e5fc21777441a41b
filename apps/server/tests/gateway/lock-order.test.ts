import { randomUUID } from 'node:crypto';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GatewayDependencies } from '../../src/gateway/gateway-dependencies.ts';
import { HeartbeatIngest } from '../../src/gateway/ingest-heartbeats.ts';
import { StatusIngest } from '../../src/gateway/ingest-status.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { seedDevices, until } from '../support/gateway-fixture.ts';
import { testDeviceKeys } from '../support/run-signing.ts';
import { testConnection } from '../support/brokers/test-connection.ts';

const DEVICES = 200;
const ROUNDS = 6;
let database: TestDatabase;
const devices = Array.from({ length: DEVICES }, (_, index) => ({
  deviceId: newId(),
  instanceId: newInstanceId(),
  name: `device ${index}`,
  connectionId: randomUUID(),
}));

beforeAll(async () => {
  database = await createTestDatabase();
  await seedDevices(database.database, devices);
});
afterAll(() => database[Symbol.asyncDispose]());

/** Dependencies of a server, and the warnings it logs. */
function openServer(): { readonly deps: GatewayDependencies; readonly complaints: unknown[] } {
  const complaints: unknown[] = [];
  const complain = ({ err }: { readonly err?: unknown }): void => void complaints.push(err);
  return {
    complaints,
    deps: {
      database: database.database,
      changes: createLocalChangeFeed((err) => complain({ err })),
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
      logger: { info() {}, warn: complain, error: complain },
      clock: () => new Date(),
    },
  };
}

const openStatus = (deps: GatewayDependencies): StatusIngest =>
  new StatusIngest(deps, { refusals: { record() {} }, overflow: { note() {} } }, () => {});

const openHeartbeats = (deps: GatewayDependencies): HeartbeatIngest =>
  new HeartbeatIngest(
    deps,
    { refusals: { record() {} }, overflow: { note() {} } },
    { onHeard: () => {}, waitMs: 5 },
  );

type Device = (typeof devices)[number];

function beat(ingest: HeartbeatIngest, { deviceId, instanceId }: Device): Promise<void> {
  const at = new Date().toISOString();
  const facts = { at, failing: [], diskUsedPercent: 1, memoryUsedPercent: 1, uptimeSeconds: 1 };
  return ingest.take({ deviceId, payload: Buffer.from(JSON.stringify({ instanceId, ...facts })) });
}

const countUnknown = async (): Promise<number | null> =>
  (
    await database.owner.pool.query(
      `select from device_status where connectivity = 'unknown' and lifecycle = 'active'`,
    )
  ).rowCount;

const forget = (deviceIds: readonly string[]) =>
  database.owner.pool.query(
    `update device_status set connectivity = 'unknown' where device_id = any($1::uuid[])`,
    [deviceIds],
  );

function say(ingest: StatusIngest, device: Device, over: Partial<StatusMessage>): Promise<void> {
  const { deviceId, connectionId, instanceId } = device;
  const status = { connectionId, instanceId, agentVersion: '1.0.0', reason: null, ...over };
  return ingest.take({ deviceId, payload: Buffer.from(JSON.stringify(status)) });
}

interface Rival extends AsyncDisposable {
  /** @throws when another transaction has locked the row */
  lock(id: string | undefined): Promise<unknown>;
  /**
   * Resolves when a transaction waits for a row that this one has locked; other databases of the server are ignored.
   */
  untilAwaited(): Promise<void>;
  commit(): Promise<unknown>;
}

/** A transaction concurrent to those of the gateway, which locks rows of a table one by one. */
async function openRival(table: string, key: string): Promise<Rival> {
  const client = await database.owner.pool.connect();
  await client.query('begin');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = `select from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`;
  return {
    lock: (id) => client.query(`select from ${table} where ${key} = $1 for update nowait`, [id]),
    async untilAwaited() {
      await until(async () => ((await database.owner.pool.query(waiting)).rowCount ?? 0) > 0);
    },
    commit: () => client.query('commit'),
    async [Symbol.asyncDispose]() {
      await client.query('rollback');
      client.release();
    },
  };
}

test('causes no deadlock between two servers whose devices connect and disconnect at the same time', async () => {
  const servers = [openServer(), openServer()];
  const [first, second] = servers.map(({ deps }) => openStatus(deps)) as [
    StatusIngest,
    StatusIngest,
  ];
  await using _first = first;
  await using _second = second;
  for (let round = 0; round < ROUNDS; round += 1)
    await Promise.all(
      devices.flatMap((device, index) => {
        const state = index % 2 === round % 2 ? 'online' : 'offline';
        const other = state === 'online' ? 'offline' : 'online';
        return [say(first, device, { state }), say(second, device, { state: other })];
      }),
    );
  expect(servers.flatMap(({ complaints }) => complaints)).toEqual([]);
});

test('locks the instances whose keys change in the same order for births as for journals', async () => {
  // The smallest id is inserted last, so that a statement without an order reaches it last.
  const instanceIds = ['f', 'a', '5', '0'].map((digit) => `mi-${digit.repeat(17)}`);
  const seeded = instanceIds.map((instanceId, index) => ({
    ...{ deviceId: newId(), instanceId, connectionId: randomUUID() },
    name: `other ${index}`,
  }));
  await seedDevices(database.database, seeded);
  const { deps, complaints } = openServer();
  await using births = openStatus(deps);
  await using journal = await openRival('device_instance', 'id');
  await journal.lock(instanceIds.at(-1));
  const said = Promise.all(
    seeded.map((device) => say(births, device, { state: 'online', runKeys: ['key'] })),
  );
  await journal.untilAwaited();
  await journal.lock(instanceIds[0]);
  await journal.commit();
  await said;
  expect(complaints).toEqual([]);
});

test('locks the devices that a heartbeat revives in order of their ids', async () => {
  const beating = Array.from({ length: 4 }, (_, index) => ({
    ...{ deviceId: newId(), instanceId: newInstanceId(), connectionId: randomUUID() },
    name: `beating ${index}`,
  }));
  await seedDevices(database.database, beating);
  const ids = beating.map(({ deviceId }) => deviceId).toSorted();
  await forget(ids.slice(-1));
  const { deps, complaints } = openServer();
  await using heartbeats = openHeartbeats(deps);
  await using presence = await openRival('device_status', 'device_id');
  await presence.lock(ids[0]);
  const said = Promise.all(beating.map((device) => beat(heartbeats, device)));
  await presence.untilAwaited();
  await presence.lock(ids.at(-1));
  await presence.commit();
  await said;
  expect(complaints).toEqual([]);
  expect(await countUnknown()).toBe(0);
});

test('causes no deadlock between heartbeats and births of the same devices', async () => {
  const [one, other] = [openServer(), openServer()];
  await using births = openStatus(one.deps);
  await using heartbeats = openHeartbeats(other.deps);
  for (let round = 0; round < ROUNDS; round += 1) {
    await forget(devices.filter((_, index) => index % 3 === 0).map(({ deviceId }) => deviceId));
    await Promise.all(
      devices.flatMap((device, index) => [
        beat(heartbeats, device),
        say(births, device, { state: index % 2 === round % 2 ? 'online' : 'offline' }),
      ]),
    );
  }
  expect([...one.complaints, ...other.complaints]).toEqual([]);
  expect(await countUnknown()).toBe(0);
});
