import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Aedes } from 'aedes';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWebSocketStream, WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import {
  openMqttConnection,
  reconnectDelayMs,
  renewAfterMs,
  type MqttConnection,
} from './mqtt-connection.ts';

/** A broker that the test can disconnect or silence. */
let server: Server;
let broker: Aedes;
const sockets = new Set<ServerSocket>();
const clientIds: string[] = [];
let connection: MqttConnection | undefined;
const seen: string[] = [];

beforeEach(async () => {
  broker = await Aedes.createBroker();
  broker.on('client', ({ id }) => clientIds.push(id));
  server = createServer();
  new WebSocketServer({ server, handleProtocols: () => 'mqtt' }).on('connection', (socket) => {
    sockets.add(socket);
    broker.handle(createWebSocketStream(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(async () => {
  connection?.[Symbol.dispose]();
  for (const socket of sockets) socket.terminate();
  sockets.clear();
  clientIds.length = 0;
  seen.length = 0;
  await new Promise<void>((resolve) => {
    broker.close(() => server.close(() => resolve()));
  });
});

function connect(endsAtMs = Date.now() + 3_600_000): void {
  let tries = 0;
  connection = openMqttConnection({
    target: async () => {
      tries += 1;
      return {
        url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
        clientId: `me.${tries}`,
        subscribeTo: 'live',
        publishTo: 'watch',
        endsAtMs,
      };
    },
    onOpen: () => seen.push('open'),
    onClose: () => seen.push('close'),
    onMessage: (payload) => seen.push(new TextDecoder().decode(payload)),
    random: () => 0,
  });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition())
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
}

function say(payload: string): void {
  broker.publish(
    {
      cmd: 'publish',
      topic: 'live',
      payload: Buffer.from(payload),
      qos: 0,
      dup: false,
      retain: false,
    },
    () => {},
  );
}

it('reconnects with new credentials after a disconnection', async () => {
  connect();
  await until(() => seen.includes('open'));
  say('before');
  await until(() => seen.includes('before'));
  for (const socket of sockets) socket.terminate();
  await until(() => seen.filter((what) => what === 'open').length === 2);
  say('after');
  await until(() => seen.includes('after'));
  expect(seen).toEqual(['open', 'before', 'close', 'open', 'after']);
  expect(clientIds).toEqual(['me.1', 'me.2']);
});

it('detects a silently lost connection when the browser becomes active', async () => {
  connect();
  await until(() => seen.includes('open'));
  // The peer stops responding without closing the connection.
  for (const socket of sockets) socket.removeAllListeners('message');
  connection?.check();
  await until(() => seen.filter((what) => what === 'open').length === 2);
  expect(seen).toEqual(['open', 'close', 'open']);
}, 120_000);

it('reports nothing after it is disposed', async () => {
  connect();
  await until(() => seen.includes('open'));
  connection?.[Symbol.dispose]();
  await new Promise((resolve) => {
    setTimeout(resolve, 700);
  });
  expect(seen).toEqual(['open']);
  expect(clientIds).toEqual(['me.1']);
});

it('renews the credentials five minutes before they expire, unless no newer ones exist', () => {
  expect(renewAfterMs(3_600_000, 0)).toBe(3_300_000);
  expect(renewAfterMs(330_000, 0)).toBeNull();
  expect(renewAfterMs(Number.MAX_SAFE_INTEGER, 0)).toBe(2 ** 31 - 1);
});

it('the back-off doubles with jitter up to the maximum of the specification', () => {
  expect([0, 1, 6, 30].map((failures) => reconnectDelayMs(failures, 1))).toEqual([
    1_000, 2_000, 20_000, 20_000,
  ]);
  expect(reconnectDelayMs(0, 0)).toBe(500);
});
