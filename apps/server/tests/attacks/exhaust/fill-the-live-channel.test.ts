import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import mqtt, { type MqttClient } from 'mqtt';
import { WebSocket } from 'ws';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { LiveMessage } from '@deviceportal/contract/live-channel';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import { liveTopic, watchTopic } from '@deviceportal/contract/live-topics';
import { everywhere, type Grant } from '@deviceportal/contract/permissions';
import { createLiveChannel } from '../../../src/live-channel/live-channel.ts';
import {
  openGatewayFixture,
  quietLogger,
  seedDevices,
  seedRun,
  until,
  type GatewayFixture,
} from '../../support/gateway-fixture.ts';

const LIMITS = {
  connections: 12,
  connectionsPerAddress: 6,
  connectionsPerPerson: 3,
  unreadMs: 2_000,
};
/** A person without credentials. */
const STRANGER = 'stranger';
const grants: Grant[] = [{ permissions: ['devices:read', 'commands:read'], scope: everywhere }];
const DEVICE = { deviceId: newId(), instanceId: newInstanceId(), name: 'watched', country: 'DE' };

let setup: GatewayFixture;
let server: Server;
let live: AsyncDisposable;
let lookups = 0;
const sockets = new Set<Socket>();
const clients: MqttClient[] = [];
/** The newest connection of each person. */
const webSockets = new Map<string, WebSocket>();

beforeAll(async () => {
  setup = await openGatewayFixture();
  await seedDevices(setup.database, [{ ...DEVICE, connectivity: 'offline' }]);
  server = createServer();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  live = createLiveChannel({
    database: setup.database,
    changes: setup.changes,
    viewers: setup.broker.viewers,
    vault: { secretTexts: () => [] },
    logger: quietLogger,
    server,
    limits: LIMITS,
    async verify({ url }) {
      const person = new URL(url, 'http://x').searchParams.get('person') ?? '';
      if (person === STRANGER) throw new Error('no valid URL');
      return {
        identityId: `region:${person}`,
        sub: person,
        originJti: person,
        groups: [],
        expiresAt: new Date(Date.now() + 600_000),
      };
    },
    async findGrants(identities) {
      lookups += 1;
      return new Map(identities.map((identity) => [identity, grants]));
    },
    addressOf: ({ headers }) => String(headers['x-address']),
    identityPoolId: 'region:pool',
    // Not during a test that counts database reads.
    recheckMs: 3_600_000,
  });
});
afterAll(async () => {
  await live[Symbol.asyncDispose]();
  server.close();
  await setup[Symbol.asyncDispose]();
});

async function open(person: string, address: string): Promise<MqttClient> {
  const { port } = server.address() as AddressInfo;
  const client = mqtt.connect(`ws://127.0.0.1:${port}/mqtt?person=${person}`, {
    clientId: `region:${person}.${crypto.randomUUID()}`,
    reconnectPeriod: 0,
    protocolVersion: 4,
    createWebsocket: (url, protocols) => {
      const headers = { 'x-address': address };
      const socket = new WebSocket(url, protocols, { headers });
      webSockets.set(person, socket);
      return socket;
    },
  });
  clients.push(client);
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
    client.once('close', () => reject(new Error('closed')));
  });
  client.on('error', () => {});
  await client.subscribeAsync(liveTopic(`region:${person}`));
  return client;
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await until(() => sockets.size === 0);
});

/** The HTTP status with which a connection is rejected. */
async function refusalOf(person: string, address: string): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  const headers = {
    ...{ connection: 'upgrade', upgrade: 'websocket', 'x-address': address },
    ...{ 'sec-websocket-protocol': 'mqtt', 'sec-websocket-version': '13' },
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  const asked = request({ host: '127.0.0.1', port, path: `/mqtt?person=${person}`, headers });
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  asked.on('response', (response) => resolve(response.resume().statusCode));
  asked.on('upgrade', (_response, socket) => {
    socket.destroy();
    resolve(undefined);
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

/** Requests a live channel, and keeps the connection open after a rejection. */
async function holdRefused(address: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => {});
  socket.write(
    `GET /mqtt?person=${STRANGER} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-protocol: mqtt\r\nx-address: ${address}\r\n\r\n`,
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.once('data', () => resolve());
  await promise;
  return socket;
}

const watch = (client: MqttClient, person: string, watches: readonly object[]) =>
  client.publishAsync(watchTopic(`region:${person}`), JSON.stringify({ watches }));

test('one user cannot open connections without limit', async () => {
  for (let count = 0; count < LIMITS.connectionsPerPerson; count += 1)
    await open('greedy', `192.0.2.${count}`);
  expect(await refusalOf('greedy', '192.0.2.9')).toBe(429);
  await open('modest', '192.0.2.9');
  await clients[0]?.endAsync(true);
  await until(() => sockets.size === LIMITS.connectionsPerPerson);
  await open('greedy', '192.0.2.9');
});

test('neither one address nor its whole network can open connections without limit', async () => {
  for (let count = 0; count < LIMITS.connectionsPerAddress; count += 1)
    await open(`person-${count}`, `2001:db8::${count}`);
  expect(await refusalOf('one-more', '2001:db8::ffff')).toBe(429);
  await open('elsewhere', '2001:db8:0:1::1');
});

test('all users together cannot exceed the total limit of connections', async () => {
  for (let count = 0; count < LIMITS.connections; count += 1)
    await open(`person-${count}`, `198.51.100.${count}`);
  expect(await refusalOf('one-more', '203.0.113.1')).toBe(503);
});

test('a viewer cannot cause database reads without limit by changing what it watches', async () => {
  const client = await open('restless', '192.0.2.1');
  await watch(client, 'restless', [{ kind: 'fleet' }]);
  lookups = 0;
  // As many as are read at once; beyond `VIEWER_MESSAGE_QUOTA`, reading is slowed down.
  for (let count = 0; count < 150; count += 1)
    void watch(client, 'restless', [{ kind: 'devices', ids: [newId()] }]);
  let state = '';
  client.on('message', (_topic, payload) => {
    const { changes } = JSON.parse(payload.toString()) as LiveMessage;
    for (const change of changes) if (change.kind === 'device-status') state = change.id;
  });
  await watch(client, 'restless', [{ kind: 'devices', ids: [DEVICE.deviceId] }]);
  // The last request is in effect a moment later.
  await until(() => state === DEVICE.deviceId);
  expect(lookups).toBeLessThan(20);
});

test('a viewer that requests too many devices receives none', async () => {
  const client = await open('curious', '192.0.2.1');
  lookups = 0;
  const many = Array.from({ length: 26 }, () => ({
    kind: 'devices',
    ids: Array.from({ length: 200 }, () => newId()),
  }));
  await watch(client, 'curious', many).catch(() => {});
  await watch(client, 'curious', [...many, ...many]).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(lookups).toBe(0);
});

test('a viewer that does not read keeps neither its connection nor memory', async () => {
  const { invocationIds } = await seedRun(setup.database, { deviceIds: [DEVICE.deviceId] });
  const [invocationId = ''] = invocationIds;
  const lazy = await open('lazy', '192.0.2.1');
  const keen = await open('keen', '192.0.2.2');
  let read = 0;
  keen.on('message', (_topic, payload) => {
    read += payload.length;
  });
  for (const [client, person] of [[lazy, 'lazy'] as const, [keen, 'keen'] as const])
    await watch(client, person, [{ kind: 'invocation', id: invocationId }]);
  webSockets.get('lazy')?.pause();
  const text = 'x'.repeat(60_000);
  let offset = 0;
  const flood = setInterval(() => {
    setup.changes.publish([
      { kind: 'output', invocationId, deviceId: DEVICE.deviceId, stream: 'stdout', offset, text },
    ]);
    offset += text.length;
  }, 10);
  await expect.poll(() => sockets.size, { timeout: 15_000 }).toBe(1);
  clearInterval(flood);
  expect(keen.connected).toBe(true);
  expect(read).toBeGreaterThan(1_000_000);
}, 30_000);

test('rejected clients do not occupy the slots of permitted users', async () => {
  const held = await Promise.all(
    Array.from({ length: LIMITS.connections }, (_, count) => holdRefused(`192.0.2.${count}`)),
  );
  try {
    await until(() => sockets.size === 0);
    await open('modest', '192.0.2.1');
  } finally {
    for (const socket of held) socket.destroy();
  }
});
