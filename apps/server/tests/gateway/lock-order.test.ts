import { randomUUID } from 'node:crypto';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GatewayDependencies } from '../../src/gateway/gateway-dependencies.ts';
import { StatusIngest } from '../../src/gateway/ingest-status.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { createTestDatabase, type TestDatabase } from '../support/create-test-database.ts';
import { seedDevices, until } from '../support/gateway-bed.ts';
import { testDeviceKeys } from '../support/run-signing.ts';

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

/** What a server works with, and what it complains of. */
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
        start: () => Promise.resolve(),
        publish: () => {},
        disconnect: () => {},
        [Symbol.asyncDispose]: () => Promise.resolve(),
      },
      authority: {
        authorities: '',
        isRotating: false,
        sign: () => Promise.reject(new Error('not asked for')),
      },
      deviceKeys: testDeviceKeys(),
      logger: { info() {}, warn: complain, error: complain },
      clock: () => new Date(),
    },
  };
}

const openStatus = (deps: GatewayDependencies): StatusIngest =>
  new StatusIngest(deps, { refusals: { record() {} }, overflow: { note() {} } }, () => {});

type Device = (typeof devices)[number];

function say(ingest: StatusIngest, device: Device, over: Partial<StatusMessage>): Promise<void> {
  const { deviceId, connectionId, instanceId } = device;
  const status = { connectionId, instanceId, agentVersion: '1.0.0', reason: null, ...over };
  return ingest.take({ deviceId, payload: Buffer.from(JSON.stringify(status)) });
}

test('[lock-order-1] two servers whose devices come and go at once never wait for each other in a circle', async () => {
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

test('[lock-order-2] births lock the instances whose keys change in the order in which journals do', async () => {
  // The smallest id is the last of the table, where a statement without an order comes last.
  const instanceIds = ['f', 'a', '5', '0'].map((digit) => `mi-${digit.repeat(17)}`);
  const seeded = instanceIds.map((instanceId, index) => ({
    ...{ deviceId: newId(), instanceId, connectionId: randomUUID() },
    name: `other ${index}`,
  }));
  await seedDevices(database.database, seeded);
  const { deps, complaints } = openServer();
  await using births = openStatus(deps);
  const journal = await database.owner.pool.connect();
  const lock = (id: string | undefined) =>
    journal.query('select from device_instance where id = $1 for update nowait', [id]);
  await journal.query('begin');
  await lock(instanceIds.at(-1));
  const said = Promise.all(
    seeded.map((device) => say(births, device, { state: 'online', runKeys: ['key'] })),
  );
  await until(async () => {
    const { rows } = await database.owner.pool.query('select from pg_locks where not granted');
    return rows.length > 0;
  });
  await lock(instanceIds[0]);
  await journal.query('commit');
  journal.release();
  await said;
  expect(complaints).toEqual([]);
});
