import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { downFilter, upTopic } from '@deviceportal/device-protocol/topics';
import { openCertificateAuthority } from '../../src/gateway/certificates/certificate-authority.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { openExternalTransport } from '../../src/gateway/external-transport.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  createRequest,
  quietLogger,
  rowsOf,
  seedDevices,
  until,
} from '../support/gateway-fixture.ts';
import { hasMosquitto, Mosquitto } from '../support/brokers/mosquitto.ts';
import { testDeviceKeys } from '../support/run-signing.ts';
import { testConnection } from '../support/brokers/test-connection.ts';

interface Setup {
  readonly url: string;
  readonly database: TestDatabase['database'];
  readonly connect: (deviceId: string) => Promise<MqttClient>;
  readonly restartBroker: () => Promise<void>;
}

describe.runIf(hasMosquitto)('external broker: Mosquitto with its default persistence', () => {
  const resources = new AsyncDisposableStack();
  let setup: Setup;

  beforeAll(async () => {
    setup = await openSetup(resources);
  });
  afterAll(() => resources.disposeAsync());

  const device = async () => {
    const ids = { deviceId: newId(), instanceId: newInstanceId() };
    await seedDevices(setup.database, [{ ...ids, name: 'behind mosquitto' }]);
    return ids;
  };
  const eventsOf = (deviceId: string) =>
    rowsOf<{ data: { number: number } }>(
      setup.database,
      `select data from audit_event where device_id = $1 and type = 'device-event.x' order by (data->>'seq')::int`,
      [deviceId],
    );
  const journal = (instanceId: string, epoch: string, seqs: readonly number[]) =>
    JSON.stringify({
      instanceId,
      epoch,
      entries: seqs.map((seq) => ({
        seq,
        at: new Date().toISOString(),
        kind: 'event',
        type: 'x',
        data: { number: seq },
      })),
    });

  test('commits and acknowledges events, and loses none when the broker is killed', async () => {
    const { deviceId, instanceId } = await device();
    const epoch = randomUUID();
    let ackedUpTo = 0;
    const listen = async (client: MqttClient) => {
      client.on('message', (topic, payload) => {
        if (topic.endsWith('/ack')) ackedUpTo = JSON.parse(payload.toString()).upTo;
      });
      await client.subscribeAsync(downFilter(deviceId), { qos: 1 });
    };
    const first = await setup.connect(deviceId);
    await listen(first);
    await first.publishAsync(upTopic(deviceId, 'journal'), journal(instanceId, epoch, [1, 2]), {
      qos: 1,
    });
    await until(() => ackedUpTo === 2);
    await setup.restartBroker();
    await first.endAsync(true);
    const again = await until(() => setup.connect(deviceId).catch(() => undefined));
    await listen(again);
    await until(async () => {
      await again.publishAsync(upTopic(deviceId, 'journal'), journal(instanceId, epoch, [3, 4]), {
        qos: 1,
      });
      return ackedUpTo === 4;
    }, 15_000);
    expect((await eventsOf(deviceId)).map(({ data }) => data.number)).toEqual([1, 2, 3, 4]);
    await again.endAsync(true);
  });

  test('[external-2] confines a device to its own topics with the documented permissions', async () => {
    const [one, other] = [await device(), await device()];
    const client = await setup.connect(one.deviceId);
    const epoch = randomUUID();
    client.publish(upTopic(other.deviceId, 'journal'), journal(other.instanceId, epoch, [1]), {
      qos: 1,
    });
    await client.publishAsync(
      upTopic(one.deviceId, 'journal'),
      journal(one.instanceId, epoch, [1]),
      { qos: 1 },
    );
    await until(async () => (await eventsOf(one.deviceId)).length === 1);
    expect(await eventsOf(other.deviceId)).toHaveLength(0);
    await client.endAsync(true);
  });
});

async function openSetup(resources: AsyncDisposableStack): Promise<Setup> {
  const { database } = resources.use(await createTestDatabase());
  const directory = await mkdtemp(join(tmpdir(), 'dp-mosquitto-'));
  resources.defer(() => rm(directory, { recursive: true, force: true }));
  const authority = await openCertificateAuthority({
    store: createFileSecrets(directory),
    hosts: [],
  });
  const broker = resources.use(await Mosquitto.start({ directory, authority }));
  const { url } = broker.access;
  resources.use(
    await createGateway({
      database,
      changes: createLocalChangeFeed(() => {}),
      transport: await openExternalTransport({
        ...broker.access,
        urls: [url],
        nodes: 'cluster',
        clientId: 'gateway',
        logger: quietLogger,
        maxMessageBytes: 128 * 1024,
      }),
      authority,
      deviceKeys: testDeviceKeys(),
      connection: testConnection(url),
      logger: quietLogger,
      clock: () => new Date(),
      onConnected: () => {},
    }),
  );
  return {
    url,
    database,
    async connect(deviceId) {
      const { key, request } = await createRequest();
      const { certificate } = await authority.sign(request, { deviceId, instanceId: null });
      const client = await mqtt.connectAsync(
        url,
        {
          clientId: deviceId,
          reconnectPeriod: 0,
          protocolVersion: 4,
          ca: authority.authorities,
          key,
          cert: certificate,
        },
        false,
      );
      client.on('error', () => {});
      return client;
    },
    restartBroker: () => broker.killAndStart(),
  };
}
