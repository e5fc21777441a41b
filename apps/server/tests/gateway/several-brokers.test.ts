import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mqtt, { type MqttClient } from 'mqtt';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { downTopic, upTopic } from '@deviceportal/device-protocol/topics';
import {
  openCertificateAuthority,
  type RotatingCertificateAuthority,
} from '../../src/gateway/certificates/certificate-authority.ts';
import type { DeviceTransport } from '../../src/gateway/device-transport.ts';
import { openExternalTransport } from '../../src/gateway/external-transport.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { createRequest, quietLogger, until } from '../support/gateway-fixture.ts';
import { hasMosquitto, Mosquitto } from '../support/brokers/mosquitto.ts';

describe.runIf(hasMosquitto)('a gateway with several brokers', () => {
  let resources: AsyncDisposableStack;
  let directory: string;
  let authority: RotatingCertificateAuthority;
  let brokers: readonly [Mosquitto, Mosquitto];

  beforeEach(async () => {
    resources = new AsyncDisposableStack();
    directory = await mkdtemp(join(tmpdir(), 'dp-brokers-'));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    authority = await openCertificateAuthority({ store: createFileSecrets(directory), hosts: [] });
    brokers = [await startBroker('one'), await startBroker('two')];
  });
  afterEach(() => resources.disposeAsync());

  async function startBroker(name: string): Promise<Mosquitto> {
    await mkdir(join(directory, name));
    const own = join(directory, name);
    return resources.use(await Mosquitto.start({ directory: own, authority }));
  }

  /** @returns the devices whose messages were received */
  async function openTransport(
    nodes: 'cluster' | 'each',
  ): Promise<{ readonly transport: DeviceTransport; readonly heard: Set<string> }> {
    const heard = new Set<string>();
    const transport = resources.use(
      await openExternalTransport({
        ...brokers[0].access,
        urls: brokers.map(({ access }) => access.url),
        nodes,
        clientId: 'gateway',
        logger: quietLogger,
        maxMessageBytes: 128 * 1024,
      }),
    );
    await transport.start({
      up: async (messages) => messages.forEach(({ deviceId }) => void heard.add(deviceId)),
      admit: async () => [],
      refused: () => {},
      overflowed: () => {},
      reset: () => {},
    });
    return { transport, heard };
  }

  async function connect({ access }: Mosquitto, deviceId: string): Promise<MqttClient> {
    const { key, request } = await createRequest();
    const { certificate } = await authority.sign(request, { deviceId, instanceId: null });
    const client = await mqtt.connectAsync(
      access.url,
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
    resources.defer(() => client.endAsync(true));
    return client;
  }

  const say = (client: MqttClient, deviceId: string) =>
    client.publishAsync(upTopic(deviceId, 'heartbeat'), '{}', { qos: 0 });

  test('moves to the next node of a cluster when its own dies', async () => {
    const { heard } = await openTransport('cluster');
    const devices = await Promise.all(
      brokers.map(async (broker) => {
        const deviceId = randomUUID();
        return { broker, deviceId, client: await connect(broker, deviceId) };
      }),
    );
    const own = await until(async () => {
      for (const { client, deviceId } of devices) await say(client, deviceId);
      return devices.find(({ deviceId }) => heard.has(deviceId));
    });
    const other = devices.find((device) => device !== own);
    expect(heard).toEqual(new Set([own.deviceId]));
    await own.broker[Symbol.asyncDispose]();
    await until(async () => {
      if (other) await say(other.client, other.deviceId);
      return heard.size === 2;
    }, 20_000);
  });

  test('serves the devices of all independent brokers, also of one that starts later', async () => {
    await brokers[1][Symbol.asyncDispose]();
    const { transport, heard } = await openTransport('each');
    await brokers[1].killAndStart();
    for (const broker of brokers) {
      const deviceId = randomUUID();
      const client = await connect(broker, deviceId);
      let received = false;
      client.on('message', () => void (received = true));
      await client.subscribeAsync(downTopic(deviceId, 'ack'), { qos: 0 });
      await until(async () => {
        await say(client, deviceId);
        return heard.has(deviceId);
      }, 20_000);
      await until(() => {
        transport.publish([{ deviceId, channel: 'ack', payload: '{}', qos: 0 }]);
        return received;
      });
    }
  });
});
