import { randomUUID } from 'node:crypto';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GatewayDependencies } from '../../src/gateway/gateway-dependencies.ts';
import { HeartbeatIngest } from '../../src/gateway/ingest-heartbeats.ts';
import { StatusIngest } from '../../src/gateway/ingest-status.ts';
import { sweepPresence } from '../../src/gateway/sweep-presence.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { testConnection } from '../support/brokers/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { quietLogger, rowsOf, seedDevices } from '../support/gateway-fixture.ts';
import { testDeviceKeys } from '../support/run-signing.ts';

const LONG_MS = 3_600_000;
const recorders = { refusals: { record() {} }, overflow: { note() {} } };

let resources: AsyncDisposableStack;
let database: TestDatabase['database'];
/** The clock of the gateway. */
let nowMs = Date.now();

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  ({ database } = resources.use(await createTestDatabase()));
});
afterAll(() => resources.disposeAsync());

/** A gateway behind an external broker, whose messages come from the test. */
function openGateway() {
  const deps: GatewayDependencies = {
    database,
    changes: createLocalChangeFeed(() => {}),
    transport: {
      ownsConnections: false,
      listeningMs: () => LONG_MS,
      start: async () => {},
      publish: () => {},
      disconnect: () => {},
      [Symbol.asyncDispose]: async () => {},
    },
    authority: {
      sign: () => Promise.reject(new Error('not used')),
      authorities: '',
      isRotating: false,
    },
    deviceKeys: testDeviceKeys(),
    connection: { ...testConnection(), heartbeatSeconds: 20 },
    logger: quietLogger,
    clock: () => new Date(nowMs),
  };
  const status = resources.use(new StatusIngest(deps, recorders, () => {}));
  const heartbeats = resources.use(
    new HeartbeatIngest(deps, recorders, { onHeard: () => {}, waitMs: 1 }),
  );
  return {
    sweep: (listeningMs = LONG_MS) => sweepPresence(deps, listeningMs),
    async connected() {
      const device = { deviceId: newId(), instanceId: newInstanceId(), connectionId: randomUUID() };
      await seedDevices(database, [{ ...device, name: 'silent' }]);
      await this.say(device, 'online');
      return device;
    },
    say(device: Device, state: 'online' | 'offline', reason: StatusMessage['reason'] = null) {
      const { deviceId, ...ids } = device;
      const payload = Buffer.from(JSON.stringify({ state, ...ids, agentVersion: '1', reason }));
      return status.take({ deviceId, payload });
    },
    beat({ deviceId, instanceId }: Device, over: Readonly<Record<string, unknown>> = {}) {
      const heartbeat = {
        ...{ instanceId, at: new Date().toISOString(), failing: [] },
        ...{ diskUsedPercent: null, memoryUsedPercent: null, uptimeSeconds: 1 },
        ...{ everySeconds: 20, connectionRevision: deps.connection.revision, ...over },
      };
      return heartbeats.take({ deviceId, payload: Buffer.from(JSON.stringify(heartbeat)) });
    },
  };
}

interface Device {
  readonly deviceId: string;
  readonly instanceId: string;
  readonly connectionId: string;
}

async function stateOf({ deviceId }: Device) {
  const [row] = await rowsOf<{ connectivity: string; reason: string | null }>(
    database,
    'select connectivity, disconnect_reason as reason from device_status where device_id = $1',
    [deviceId],
  );
  return row;
}
const eventsOf = async ({ deviceId }: Device) =>
  (
    await rowsOf<{ type: string }>(
      database,
      'select type from audit_event where device_id = $1 order by id',
      [deviceId],
    )
  ).map(({ type }) => type);

const pass = (seconds: number): void => void (nowMs += seconds * 1_000);

describe('a device behind an external broker of which nothing is heard', () => {
  test('is offline after two heartbeats and a margin, without a will', async () => {
    const gateway = openGateway();
    const device = await gateway.connected();
    await gateway.beat(device);
    pass(49);
    await gateway.sweep();
    expect(await stateOf(device)).toMatchObject({ connectivity: 'online' });
    pass(2);
    await gateway.sweep();
    expect(await stateOf(device)).toEqual({ connectivity: 'offline', reason: 'silent' });
    expect(await eventsOf(device)).toEqual(['device.connected', 'device.disconnected']);
  });

  test('is judged by the interval of its agent: one of an earlier release reports every 60 s', async () => {
    const gateway = openGateway();
    const older = await gateway.connected();
    await gateway.beat(older, { everySeconds: undefined, connectionRevision: undefined });
    pass(129);
    await gateway.sweep();
    expect(await stateOf(older)).toMatchObject({ connectivity: 'online' });
    pass(2);
    await gateway.sweep();
    expect(await stateOf(older)).toMatchObject({ connectivity: 'offline' });
  });

  test('is online while any gateway hears it, also when its status is not written', async () => {
    const [one, two] = [openGateway(), openGateway()];
    const device = await one.connected();
    await one.beat(device);
    await two.beat(device);
    for (let beats = 0; beats < 5; beats += 1) {
      pass(20);
      await (beats % 2 === 0 ? one : two).beat(device);
      await one.sweep();
      await two.sweep();
    }
    expect(await stateOf(device)).toMatchObject({ connectivity: 'online' });
    expect(await eventsOf(device)).toEqual(['device.connected']);
  });

  test('is online while its journal arrives', async () => {
    const gateway = openGateway();
    const device = await gateway.connected();
    await gateway.beat(device);
    pass(55);
    await database.pool.query('update device_instance set last_ping_at = $2 where id = $1', [
      device.instanceId,
      new Date(nowMs - 5_000),
    ]);
    await gateway.sweep();
    expect(await stateOf(device)).toMatchObject({ connectivity: 'online' });
  });

  test('stays online while the gateway itself hears nothing', async () => {
    const gateway = openGateway();
    const device = await gateway.connected();
    await gateway.beat(device);
    pass(300);
    await gateway.sweep(45_000);
    expect(await stateOf(device)).toMatchObject({ connectivity: 'online' });
    await gateway.sweep(50_000);
    expect(await stateOf(device)).toMatchObject({ connectivity: 'offline' });
  });

  test('is online again with its next heartbeat, and a late will of that connection ends it', async () => {
    const gateway = openGateway();
    const device = await gateway.connected();
    await gateway.beat(device);
    pass(60);
    await gateway.sweep();
    await gateway.beat(device);
    expect(await stateOf(device)).toEqual({ connectivity: 'online', reason: null });
    expect(await eventsOf(device)).toEqual([
      'device.connected',
      'device.disconnected',
      'device.connected',
    ]);
    await gateway.say(device, 'offline', 'connection-lost');
    expect(await stateOf(device)).toEqual({ connectivity: 'offline', reason: 'connection-lost' });
  });

  test('and that connected to another broker stays online when the will of the lost one arrives', async () => {
    const gateway = openGateway();
    const before = await gateway.connected();
    await gateway.beat(before);
    pass(60);
    await gateway.sweep();
    const now = { ...before, connectionId: randomUUID() };
    await gateway.say(now, 'online');
    await gateway.say(before, 'offline', 'connection-lost');
    expect(await stateOf(now)).toMatchObject({ connectivity: 'online' });
  });

  test('stays offline when a heartbeat arrives after its goodbye', async () => {
    const gateway = openGateway();
    const device = await gateway.connected();
    await gateway.say(device, 'offline', 'shutdown');
    await gateway.beat(device);
    expect(await stateOf(device)).toMatchObject({ connectivity: 'offline', reason: 'shutdown' });
  });
});
