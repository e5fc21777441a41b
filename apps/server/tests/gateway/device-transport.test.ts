import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { downFilter, downTopic, upTopic } from '@deviceportal/device-protocol/topics';
import {
  openCertificateAuthority,
  type RotatingCertificateAuthority,
} from '../../src/gateway/certificates/certificate-authority.ts';
import type { Refusal, UpMessage } from '../../src/gateway/device-transport.ts';
import { createFileSecrets } from '../../src/platform/secrets/file-secret-engine.ts';
import { connectClient, type ConnectOptions } from '../support/brokers/device-client.ts';
import {
  embedded,
  mosquitto,
  nats,
  rmqtt,
  type OpenEngine,
  type TransportEngine,
} from '../support/brokers/transport-engine.ts';
import { until } from '../support/gateway-fixture.ts';

/** The words of the MQTT client, depending on whether TLS or the broker ends the connection. */
const NOT_CONNECTED = /connect|authorized|closed|certificate|identifier|alert|ECONNRESET/i;

const engines: readonly TransportEngine[] = [embedded, mosquitto, nats, rmqtt];
for (const { lacks } of engines) {
  if (lacks !== undefined) process.stdout.write(`Skipped: tests of the transport by ${lacks}.\n`);
}

describe.each(engines)('devices by $name', (engine) => {
  const resources = new AsyncDisposableStack();
  const isThere = engine.lacks === undefined;
  const suspended = new Set<string>();
  const heard: UpMessage[] = [];
  const refusals: Refusal[] = [];
  let authority: RotatingCertificateAuthority;
  let open: OpenEngine;

  beforeAll(async () => {
    if (!isThere) return;
    const directory = await mkdtemp(join(tmpdir(), 'dp-transport-'));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    authority = await openCertificateAuthority({ store: createFileSecrets(directory), hosts: [] });
    open = resources.use(await engine.open({ directory, authority }));
    await open.transport.start({
      up: async (messages) => void heard.push(...messages),
      admit: async (requests) => requests.map(({ deviceId }) => !suspended.has(deviceId)),
      refused: (list) => void refusals.push(...list),
      overflowed: () => {},
      reset: () => {},
    });
  });
  beforeEach(() => {
    heard.length = 0;
    refusals.length = 0;
  });
  afterAll(() => resources.disposeAsync());

  const connect = async (over: Partial<ConnectOptions> = {}): Promise<MqttClient> => {
    const url = open.deviceUrls[0] ?? '';
    const client = await connectClient({ url, deviceId: newId(), authority, ...over });
    resources.defer(() => client.endAsync(true));
    return client;
  };
  const listen = async (client: MqttClient, deviceId: string): Promise<string[]> => {
    const received: string[] = [];
    client.on('message', (topic, payload) => void received.push(`${topic} ${payload.toString()}`));
    await client.subscribeAsync(downFilter(deviceId), { qos: open.subscriptionQos });
    return received;
  };

  test.runIf(isThere)('are heard on every channel, and receive what is for them', async () => {
    const deviceId = newId();
    const client = await connect({ deviceId });
    const received = await listen(client, deviceId);
    await client.publishAsync(upTopic(deviceId, 'status'), 'born', { qos: 1 });
    await client.publishAsync(upTopic(deviceId, 'heartbeat'), 'alive', { qos: 0 });
    await client.publishAsync(upTopic(deviceId, 'journal'), 'entry', { qos: 1 });
    await until(() => heard.length >= 3);
    const said = heard.map((message) => [
      message.deviceId,
      message.channel,
      Buffer.from(message.payload).toString(),
    ]);
    expect(said.toSorted()).toEqual(
      [
        [deviceId, 'status', 'born'],
        [deviceId, 'heartbeat', 'alive'],
        [deviceId, 'journal', 'entry'],
      ].toSorted(),
    );
    open.transport.publish([
      { deviceId: newId(), channel: 'ack', payload: 'for another', qos: 0 },
      { deviceId, channel: 'ack', payload: 'acknowledged', qos: 0 },
      { deviceId, channel: 'command', payload: '{"part":1', sharedEnd: ',"end":2}', qos: 1 },
    ]);
    await until(() => received.length === 2);
    expect(received).toEqual([
      `${downTopic(deviceId, 'ack')} acknowledged`,
      `${downTopic(deviceId, 'command')} {"part":1,"end":2}`,
    ]);
  });

  test.runIf(isThere)('are reached on every node', async () => {
    for (const url of open.deviceUrls) {
      const deviceId = newId();
      const client = await connect({ deviceId, url });
      const received = await listen(client, deviceId);
      await client.publishAsync(upTopic(deviceId, 'journal'), 'entry', { qos: 1 });
      await until(() => heard.some((message) => message.deviceId === deviceId));
      open.transport.publish([{ deviceId, channel: 'ack', payload: 'x', qos: 0 }]);
      await until(() => received.length === 1);
    }
  });

  test.runIf(isThere)('are reported as lost by their will', async () => {
    const deviceId = newId();
    const will = {
      topic: upTopic(deviceId, 'status'),
      payload: Buffer.from('lost'),
      qos: 1,
    } as const;
    const client = await connect({ deviceId, will });
    client.stream.destroy();
    const message = await until(() => heard.find((each) => each.deviceId === deviceId));
    expect(Buffer.from(message.payload).toString()).toBe('lost');
  });

  test.runIf(isThere)('have only their own topics', async () => {
    const [own, other] = [newId(), newId()];
    const victim = await connect({ deviceId: other });
    const received = await listen(victim, other);
    const attempts = [
      async (client: MqttClient) =>
        client.publishAsync(upTopic(other, 'journal'), 'forged', { qos: 1 }),
      async (client: MqttClient) =>
        client.publishAsync(downTopic(other, 'command'), 'forged', { qos: 0 }),
      async (client: MqttClient) =>
        client.publishAsync(downTopic(own, 'command'), 'forged', { qos: 0 }),
      ...[downFilter(other), 'deviceportal/#', '#', 'deviceportal/devices/+/down/+'].map(
        (filter) => async (client: MqttClient) => client.subscribeAsync(filter, { qos: 0 }),
      ),
    ];
    const overheard: string[] = [];
    for (const attempt of attempts) {
      const client = await connect({ deviceId: own });
      client.on(
        'message',
        (topic, payload) => void overheard.push(`${topic} ${payload.toString()}`),
      );
      // Brokers reject it, end the connection, or acknowledge what they drop.
      await Promise.race([attempt(client).catch(() => {}), untilClosed(client)]);
      open.transport.publish([{ deviceId: other, channel: 'ack', payload: 'secret', qos: 0 }]);
      await until(() => received.some((text) => text.endsWith('secret')));
      received.splice(0, received.findIndex((text) => text.endsWith('secret')) + 1);
      await client.endAsync(true);
    }
    const client = await connect({ deviceId: own });
    await client.publishAsync(upTopic(own, 'journal'), 'last', { qos: 1 });
    await until(() => heard.some(({ payload }) => Buffer.from(payload).toString() === 'last'));
    expect(heard.map(({ deviceId }) => deviceId)).toEqual([own]);
    expect([overheard, received]).toEqual([[], []]);
  });

  test.runIf(isThere)('have no topics of the device whose client ID they use', async () => {
    const [own, other] = [newId(), newId()];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const victim = await connect({ deviceId: other });
      const thief = await connect({ deviceId: own, clientId: other }).catch(() => undefined);
      const forged = thief?.publishAsync(upTopic(other, 'journal'), 'forged', { qos: 1 });
      if (thief) await Promise.race([forged?.catch(() => {}), untilClosed(thief)]);
      await thief?.endAsync(true);
      await victim.endAsync(true);
    }
    const client = await connect({ deviceId: own });
    await client.publishAsync(upTopic(own, 'journal'), 'last', { qos: 1 });
    await until(() => heard.some(({ payload }) => Buffer.from(payload).toString() === 'last'));
    expect(heard.map(({ deviceId }) => deviceId)).toEqual([own]);
  });

  test.runIf(isThere)('are refused with a certificate of another authority', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dp-foreign-'));
    resources.defer(() => rm(directory, { recursive: true, force: true }));
    const foreign = await openCertificateAuthority({
      store: createFileSecrets(directory),
      hosts: [],
    });
    const attempt = connect({ authority: foreign, trusted: authority.authorities });
    await expect(attempt).rejects.toThrow(NOT_CONNECTED);
  });

  test.runIf(isThere && engine.asks)(
    'are refused when suspended, and with the name of another',
    async () => {
      const [deviceId, other] = [newId(), newId()];
      suspended.add(deviceId);
      await expect(connect({ deviceId })).rejects.toThrow(NOT_CONNECTED);
      await expect(connect({ deviceId: newId(), clientId: other })).rejects.toThrow(NOT_CONNECTED);
      await until(() => refusals.some(({ reason }) => reason === 'wrong-client-id'));
    },
  );

  test.runIf(isThere && engine.asks)('are disconnected on any node', async () => {
    for (const url of open.deviceUrls) {
      const deviceId = newId();
      const client = await connect({ deviceId, url });
      const closed = untilClosed(client);
      open.transport.disconnect([newId(), deviceId]);
      await closed;
    }
  });
});

const untilClosed = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    client.once('close', () => resolve());
  });
