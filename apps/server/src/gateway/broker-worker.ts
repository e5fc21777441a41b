/**
 * The thread of the embedded broker: TLS, certificates, topic rights, message limits. It knows no database;
 * the main thread says who may connect and gets what devices say.
 */

import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { Duplex } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { Aedes } from 'aedes';
import { writeToStream } from 'mqtt-packet';
import { liveTopic } from '@deviceportal/contract/live-topics';
import { downTopic } from '@deviceportal/device-protocol/topics';
import { BatchPort } from './broker-batch-port.ts';
import {
  mayConnect,
  mayPublish,
  mayReceive,
  maySubscribe,
  type BrokerIdentity,
} from './broker-policy.ts';
import type { BrokerWorkerData, ToBroker } from './broker-messages.ts';
import { limitMessageSize } from './limit-message-size.ts';
import { acceptViewers } from './accept-viewers.ts';
import { captureUp } from './capture-up.ts';
import { HeldPubacks } from './held-pubacks.ts';
import { viewerRights } from './viewer-policy.ts';

const HANDSHAKE_TIMEOUT_MS = 20_000;
const CONNECT_TIMEOUT_MS = 20_000;
const DRAIN_TIMEOUT_MS = 20_000;

const data = workerData as BrokerWorkerData;
if (!parentPort) throw new Error('the broker runs in a worker thread');
const port = new BatchPort(parentPort, data.creditBytes);
const held = new HeldPubacks();
const identities = new WeakMap<object, BrokerIdentity>();
const servers: Server[] = [];

/** The identity of a client's connection; a client without one was never handed in by us. */
const identityOf = (client: { conn: object } | null): BrokerIdentity | undefined =>
  client === null ? undefined : identities.get(client.conn);

const notAuthorized = (message: string): Error & { returnCode: number } =>
  Object.assign(new Error(message), { returnCode: 5 });

const broker = new Aedes({
  concurrency: 5_000,
  queueLimit: 200,
  drainTimeout: DRAIN_TIMEOUT_MS,
  connectTimeout: CONNECT_TIMEOUT_MS,
  maxInflightInbound: 20,
  preConnect(_client, packet, done) {
    // Sessions live in the database and on the device, never here.
    packet.clean = true;
    done(null, true);
  },
  authenticate(client, username, _password, done) {
    const identity = identityOf(client) ?? identifyPlain(client.conn, username);
    if (!identity) return done(notAuthorized('no identity'), false);
    if (!mayConnect(identity, client.id)) {
      if (identity.kind === 'device')
        port.refuse({
          deviceId: identity.deviceId,
          reason: 'wrong-client-id',
          address: identity.address,
        });
      return done(notAuthorized('the client id is not its own'), false);
    }
    if (identity.kind === 'viewer') return done(null, true);
    port.askAdmission(identity, (allowed) =>
      allowed ? done(null, true) : done(notAuthorized('not admitted'), false),
    );
  },
  authorizePublish(client, packet, done) {
    const identity = identityOf(client);
    if (!identity || !mayPublish(identity, packet.topic)) {
      if (identity?.kind === 'device')
        port.refuse({
          deviceId: identity.deviceId,
          reason: 'foreign-topic',
          address: identity.address,
          detail: packet.topic.slice(0, 200),
        });
      return done(new Error('not allowed to publish there'));
    }
    // Retained messages would outlive the device's rights, in memory.
    packet.retain = false;
    captureUp({ port, held }, { identity, connection: client?.id ?? '', packet }, done);
  },
  authorizeSubscribe(client, subscription, done) {
    const identity = identityOf(client);
    if (identity && maySubscribe(identity, subscription.topic)) return done(null, subscription);
    if (identity?.kind === 'device')
      port.refuse({
        deviceId: identity.deviceId,
        reason: 'foreign-subscription',
        address: identity.address,
        detail: subscription.topic.slice(0, 200),
      });
    // A failure in the SUBACK (MQTT 3.1.1, section 3.9.3).
    done(null, null);
  },
});
await broker.listen();
// A client's failure is its own business; without a listener it would end the thread.
broker.on('clientError', () => {});
broker.on('connectionError', () => {});
broker.on('clientDisconnect', (client) => {
  if (identityOf(client)?.kind === 'viewer') port.viewerGone(client.id);
});

function identifyPlain(
  connection: object,
  username: string | undefined,
): BrokerIdentity | undefined {
  if (!plainConnections.has(connection) || !username) return undefined;
  const identity: BrokerIdentity = {
    kind: 'device',
    deviceId: username,
    fingerprint: null,
    instanceId: null,
    certificateEndsAt: null,
    address: null,
  };
  identities.set(connection, identity);
  return identity;
}
const plainConnections = new WeakSet<object>();

function serve(socket: Socket, identity: BrokerIdentity | undefined): void {
  socket.setNoDelay(true);
  if (identity) identities.set(socket, identity);
  const client = broker.handle(socket);
  limitMessageSize(client, data.maxMessageBytes, () => {
    if (identity?.kind === 'device')
      port.refuse({
        deviceId: identity.deviceId,
        reason: 'message-too-large',
        address: identity.address,
      });
  });
}

function identifyPeer(socket: TLSSocket): BrokerIdentity | undefined {
  const peer = socket.getPeerCertificate();
  const commonName: unknown = peer.subject?.CN;
  const unit: unknown = peer.subject?.OU;
  if (typeof commonName !== 'string') return undefined;
  return {
    kind: 'device',
    deviceId: commonName,
    fingerprint: peer.fingerprint256.replaceAll(':', '').toLowerCase(),
    instanceId: typeof unit === 'string' ? unit : null,
    certificateEndsAt: new Date(peer.valid_to).toISOString(),
    address: socket.remoteAddress ?? null,
  };
}

function listen(
  server: Server,
  target: { host: string; port: number } | string,
): Promise<number | null> {
  servers.push(server);
  server.maxConnections = data.maxConnections;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const ready = (): void => {
      server.off('error', reject);
      server.on('error', () => {});
      const address = server.address();
      resolve(typeof address === 'object' ? (address as AddressInfo).port : null);
    };
    if (typeof target === 'string') server.listen(target, ready);
    else server.listen({ ...target, backlog: 4_096 }, ready);
  });
}

async function listenTls(
  devices: NonNullable<BrokerWorkerData['devices']>,
): Promise<number | null> {
  const server = createTlsServer(
    {
      ca: devices.authorities,
      cert: devices.certificate,
      key: devices.key,
      requestCert: true,
      rejectUnauthorized: true,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      minVersion: 'TLSv1.2',
    },
    (socket) => {
      const identity = identifyPeer(socket);
      if (identity) serve(socket, identity);
      else socket.destroy();
    },
  );
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return listen(server, devices);
}

async function listenPlain(plain: NonNullable<BrokerWorkerData['plain']>): Promise<number | null> {
  const server = createTcpServer((socket) => {
    plainConnections.add(socket);
    serve(socket, undefined);
  });
  return listen(server, plain);
}

interface OpenClient {
  readonly publish: (packet: object, done: (error?: Error) => void) => void;
  readonly close: () => void;
  readonly connected: boolean;
  readonly conn: Duplex;
}
const openClient = (id: string): OpenClient | undefined =>
  (broker as unknown as { clients: Record<string, OpenClient | undefined> }).clients[id];

/** Straight to the one client: no matching over the whole tree of subscriptions. */
function sendTo(id: string, packet: { topic: string; payload: string; qos: 0 | 1 }): void {
  openClient(id)?.publish({ cmd: 'publish', dup: false, retain: false, ...packet }, () => {});
}

/**
 * The acknowledgement of a journal, and the PUBACKs that waited for it: what is written in one turn leaves as one
 * record. Past the broker, which would put it off by two turns. Lost to a device that does not read: it sends again.
 */
function acknowledge(deviceId: string, payload: string): void {
  held.release(deviceId);
  const client = openClient(deviceId);
  if (!client?.connected || client.conn.writableNeedDrain) return;
  const topic = downTopic(deviceId, 'ack');
  writeToStream({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, client.conn);
}

function handle(message: ToBroker): void {
  switch (message.kind) {
    case 'admitted':
      for (const { ref, allowed } of message.answers) port.answerAdmission(ref, allowed);
      return;
    case 'credit':
      port.addCredit(message.bytes);
      return;
    case 'down':
      for (const { deviceId, channel, payload, qos } of message.messages)
        if (channel === 'ack') acknowledge(deviceId, payload);
        else sendTo(deviceId, { topic: downTopic(deviceId, channel), payload, qos });
      return;
    case 'live':
      for (const { connection, viewerId, payload } of message.messages) {
        const topic = liveTopic(viewerId);
        if (mayReceive(identityOf(openClient(connection) ?? null), topic))
          sendTo(connection, { topic, payload, qos: 0 });
      }
      return;
    case 'disconnect':
      for (const deviceId of message.deviceIds) openClient(deviceId)?.close();
      return;
    case 'end-viewers':
      for (const connection of message.connections) openClient(connection)?.close();
      return;
    case 'count':
      // There only where node was started with --expose-gc, to measure memory.
      globalThis.gc?.();
      port.post({ kind: 'connections', count: broker.connectedClients });
      return;
    case 'stop':
      for (const server of servers) server.close();
      broker.close(() => process.exit(0));
  }
}

parentPort.on('message', handle);
try {
  const tlsPort = data.devices ? await listenTls(data.devices) : null;
  const plainPort = data.plain ? await listenPlain(data.plain) : null;
  if (data.viewerSocket) {
    const server = acceptViewers((stream, handover) => {
      const { identityId } = handover;
      identities.set(stream, { kind: 'viewer', viewerId: identityId, may: viewerRights(handover) });
      const client = broker.handle(stream);
      limitMessageSize(client, data.maxMessageBytes, () => {});
    });
    await listen(server, data.viewerSocket);
  }
  port.post({ kind: 'listening', tlsPort, plainPort });
} catch (error) {
  port.post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
