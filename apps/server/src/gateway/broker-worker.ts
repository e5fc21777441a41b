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
import {
  createServer as createTlsServer,
  type SecureContextOptions,
  type Server as TlsServer,
  type TLSSocket,
} from 'node:tls';
import type { Duplex } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { Aedes } from 'aedes';
import { writeToStream } from 'mqtt-packet';
import {
  CONNECT_QUOTA,
  CONNECTIONS_PER_VIEWER,
  HANDSHAKE_LIMIT_MS,
  HANDSHAKE_QUOTA,
  KEEP_ALIVE_LIMIT_SECONDS,
  SLOW_CLIENT_LIMIT_BYTES,
  SLOW_CLIENT_LIMIT_MS,
  STATUS_QUOTA,
  TOPIC_LIMIT_CHARACTERS,
  TOPIC_LIMIT_LEVELS,
} from '@deviceportal/contract/device-limits';
import { liveTopic } from '@deviceportal/contract/live-topics';
import { downTopic } from '@deviceportal/device-protocol/topics';
import { Arrivals } from './arrivals.ts';
import { BatchPort } from './broker-batch-port.ts';
import {
  mayConnect,
  mayPublish,
  mayReceive,
  maySubscribe,
  type BrokerIdentity,
} from './broker-policy.ts';
import type { BrokerCertificates, BrokerWorkerData, ToBroker } from './broker-messages.ts';
import { connectionRules } from './connection-rules.ts';
import { DevicePace } from './device-pace.ts';
import { guardPackets } from './guard-packets.ts';
import { isLegalWill } from './is-legal-will.ts';
import { acceptViewers } from './accept-viewers.ts';
import { captureUp } from './capture-up.ts';
import { HeldPubacks } from './held-pubacks.ts';
import { SocketGate } from './socket-gate.ts';
import { TurnedAway } from './turned-away.ts';
import { viewerRights } from './viewer-policy.ts';
import { RefusalPause } from '../platform/refusal-pause.ts';
import { TokenBucket, TokenBuckets } from '../platform/token-buckets.ts';

/** What a browser may leave unread of the live channel. */
const MOST_UNREAD_BYTES = 2 * 1024 * 1024;

/** Before a device that connects too often is told so. */
const CONNECT_PAUSE = { waitMs: 2_000, most: 5_000 };

const data = workerData as BrokerWorkerData;
if (!parentPort) throw new Error('the broker runs in a worker thread');
const port = new BatchPort(parentPort, data.creditBytes);
const held = new HeldPubacks();
const identities = new WeakMap<object, BrokerIdentity>();
const servers: Server[] = [];
let tlsServer: TlsServer | undefined;
const pace = new DevicePace();
const connects = new TokenBuckets(CONNECT_QUOTA);
const handshakes = new TokenBuckets(HANDSHAKE_QUOTA);
const tooOften = new RefusalPause(CONNECT_PAUSE);
/** Births and goodbyes that each connection may still say. */
const statuses = new WeakMap<object, TokenBucket>();
const arrivals = new Arrivals();
const viewers = new Map<string, number>();
const turnedAway = new TurnedAway((facts) => port.post({ kind: 'turned-away', ...facts }));
const gate = new SocketGate({
  limits: data.connections,
  onTurnedAway: (address) => turnedAway.count(address),
});

/** The identity of a client's connection; a client without one was never handed in by us. */
const identityOf = (client: { conn: object } | null): BrokerIdentity | undefined =>
  client === null ? undefined : identities.get(client.conn);

/** @param returnCode of the CONNACK (MQTT 3.1.1, section 3.2.2.3): 3 is "server unavailable", 5 "not authorized" */
const refusal = (message: string, returnCode: 3 | 5 = 5): Error & { returnCode: number } =>
  Object.assign(new Error(message), { returnCode });

const broker = new Aedes({
  concurrency: 5_000,
  queueLimit: 42,
  drainTimeout: SLOW_CLIENT_LIMIT_MS,
  connectTimeout: HANDSHAKE_LIMIT_MS,
  maxTopicLevels: TOPIC_LIMIT_LEVELS,
  keepaliveLimit: KEEP_ALIVE_LIMIT_SECONDS,
  preConnect(_client, packet, done) {
    // Sessions live in the database and on the device, never here.
    packet.clean = true;
    done(null, true);
  },
  authenticate(client, username, _password, done) {
    const identity = identityOf(client) ?? identifyPlain(client.conn, username);
    if (!identity) return done(refusal('no identity'), false);
    if (client.id.length > TOPIC_LIMIT_CHARACTERS || !mayConnect(identity, client.id)) {
      if (identity.kind === 'device')
        port.refuse({
          deviceId: identity.deviceId,
          reason: 'wrong-client-id',
          address: identity.address,
        });
      return done(refusal('the client id is not its own'), false);
    }
    if (!isLegalWill(client, identity)) return done(refusal('the will is not allowed'), false);
    if (identity.kind === 'viewer') {
      const isFull = (viewers.get(identity.viewerId) ?? 0) >= CONNECTIONS_PER_VIEWER;
      return isFull ? done(refusal('too many connections', 3), false) : done(null, true);
    }
    const { kind: _kind, ...request } = identity;
    // Counted by certificate: connections with a superseded one do not use up the device's own limit.
    const quota = connects.of(request.fingerprint ?? request.deviceId);
    if (!quota.take()) {
      port.overflow(request.deviceId, 'connections');
      return tooOften.tell(() => done(refusal('connects too often', 3), false));
    }
    arrivals.begin(request.deviceId, client.conn);
    port.askAdmission(request, (admission) => {
      if (admission === 'admitted') return done(null, true);
      if (admission === 'refused') return done(refusal('not admitted'), false);
      quota.giveBack();
      done(refusal('nobody can say now', 3), false);
    });
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
    if (identity.kind === 'device' && client && !mayReport(client, packet.topic)) {
      port.overflow(identity.deviceId, 'status-reports');
      return done(new Error('says too often that it is there'));
    }
    captureUp({ port, held, pace }, { identity, connection: client?.id ?? '', packet }, done);
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
broker.on('client', (client) => {
  const identity = identityOf(client);
  if (identity?.kind === 'device') {
    gate.settle(client.conn as Socket);
    if (!arrivals.end(identity.deviceId, client.conn)) client.close();
  }
  if (identity?.kind === 'viewer') countViewer(identity.viewerId, 1);
});
broker.on('clientDisconnect', (client) => {
  const identity = identityOf(client);
  if (identity?.kind !== 'viewer') return;
  countViewer(identity.viewerId, -1);
  port.viewerGone(client.id);
});

function countViewer(viewerId: string, by: number): void {
  const count = (viewers.get(viewerId) ?? 0) + by;
  if (count > 0) viewers.set(viewerId, count);
  else viewers.delete(viewerId);
}

/** Each connection has one birth and one end, and a few more where what they say changes. Its will always counts. */
function mayReport(client: { conn: object; closed?: boolean }, topic: string): boolean {
  if (client.closed || !topic.endsWith('/up/status')) return true;
  const known = statuses.get(client.conn) ?? new TokenBucket(STATUS_QUOTA);
  statuses.set(client.conn, known);
  return known.take();
}

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
    certificateStartsAt: null,
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
  const deviceId = identity?.kind === 'device' ? identity.deviceId : undefined;
  guardPackets(broker.handle(socket), {
    maxBytes: data.maxMessageBytes,
    allows: connectionRules('device', () => {
      if (deviceId !== undefined) port.overflow(deviceId, 'packets');
    }),
    onTooLarge: () => {
      if (identity?.kind !== 'device') return;
      const { address } = identity;
      port.refuse({ deviceId: identity.deviceId, reason: 'message-too-large', address });
    },
  });
}

type DeviceIdentity = Extract<BrokerIdentity, { kind: 'device' }>;

function identifyPeer(socket: TLSSocket): DeviceIdentity | undefined {
  const peer = socket.getPeerCertificate();
  const commonName: unknown = peer.subject?.CN;
  const unit: unknown = peer.subject?.OU;
  if (typeof commonName !== 'string') return undefined;
  return {
    kind: 'device',
    deviceId: commonName,
    fingerprint: peer.fingerprint256.replaceAll(':', '').toLowerCase(),
    instanceId: typeof unit === 'string' ? unit : null,
    certificateStartsAt: new Date(peer.valid_from).toISOString(),
    certificateEndsAt: new Date(peer.valid_to).toISOString(),
    address: socket.remoteAddress ?? null,
  };
}

/** Where not, the connection counts against its address like one without a certificate. */
function mayShakeHands({ deviceId, fingerprint }: DeviceIdentity): boolean {
  const isWithin = handshakes.of(fingerprint ?? deviceId).take();
  if (!isWithin) port.overflow(deviceId, 'connections');
  return isWithin;
}

function listen(
  server: Server,
  target: { host: string; port: number } | string,
): Promise<number | null> {
  servers.push(server);
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
      ...contextOf(devices),
      requestCert: true,
      rejectUnauthorized: true,
      handshakeTimeout: HANDSHAKE_LIMIT_MS,
    },
    (socket) => {
      const identity = identifyPeer(socket);
      if (!identity) return void socket.destroy();
      if (!mayShakeHands(identity)) return void tooOften.tell(() => socket.destroy());
      gate.prove(socket);
      serve(socket, identity);
    },
  );
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  tlsServer = server;
  const front = createTcpServer((socket) => {
    if (gate.admit(socket)) server.emit('connection', socket);
  });
  return listen(front, devices);
}

const contextOf = ({
  authorities,
  certificate,
  key,
}: BrokerCertificates): SecureContextOptions => ({
  ca: authorities,
  cert: certificate,
  key,
  minVersion: 'TLSv1.2',
});

async function listenPlain(plain: NonNullable<BrokerWorkerData['plain']>): Promise<number | null> {
  const server = createTcpServer((socket) => {
    if (!gate.admit(socket)) return;
    gate.prove(socket);
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
  const client = openClient(id);
  // It does not read: what it misses it asks for again when it comes back.
  if (client && client.conn.writableLength > SLOW_CLIENT_LIMIT_BYTES) client.close();
  else client?.publish({ cmd: 'publish', dup: false, retain: false, ...packet }, () => {});
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
      for (const { ref, admission } of message.answers) port.answerAdmission(ref, admission);
      return;
    case 'credit':
      port.addCredit(message.bytes);
      return;
    case 'certificates':
      tlsServer?.setSecureContext(contextOf(message.certificates));
      return;
    case 'down':
      for (const { deviceId, channel, payload, qos } of message.messages)
        if (channel === 'ack') acknowledge(deviceId, payload);
        else sendTo(deviceId, { topic: downTopic(deviceId, channel), payload, qos });
      return;
    case 'live':
      for (const { connection, viewerId, payload } of message.messages) {
        const topic = liveTopic(viewerId);
        const client = openClient(connection);
        if (!mayReceive(identityOf(client ?? null), topic)) continue;
        // Who does not read connects again, and is told the state of then.
        if ((client?.conn.writableLength ?? 0) > MOST_UNREAD_BYTES) client?.conn.destroy();
        else sendTo(connection, { topic, payload, qos: 0 });
      }
      return;
    case 'disconnect':
      for (const deviceId of message.deviceIds) {
        openClient(deviceId)?.close();
        arrivals.turnBack(deviceId);
      }
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
      guardPackets(broker.handle(stream), {
        maxBytes: data.maxMessageBytes,
        allows: connectionRules('viewer', () => {}),
        onTooLarge: () => {},
      });
    });
    await listen(server, data.viewerSocket);
  }
  port.post({ kind: 'listening', tlsPort, plainPort });
} catch (error) {
  port.post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
