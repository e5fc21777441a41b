/**
 * The thread of the embedded broker: TLS, certificates, topic permissions, message limits. It has no access to the
 * database: the main thread decides which devices may connect and receives their messages.
 */

import type { Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { Aedes } from 'aedes';
import {
  HANDSHAKE_LIMIT_MS,
  KEEP_ALIVE_LIMIT_SECONDS,
  SLOW_CLIENT_LIMIT_MS,
  TOPIC_LIMIT_LEVELS,
} from '@deviceportal/contract/device-limits';
import { RefusalPause } from '../../platform/refusal-pause.ts';
import { acceptViewers } from '../accept-viewers.ts';
import { admitClient } from './admit-client.ts';
import { PendingConnections } from '../pending-connections.ts';
import { BatchPort } from './broker-batch-port.ts';
import { BrokerClients } from './broker-clients.ts';
import type { BrokerWorkerData } from './broker-messages.ts';
import { ConnectionIdentities } from './connection-identities.ts';
import { connectionRules } from './connection-rules.ts';
import { DeviceListeners } from '../device-listeners.ts';
import { handleMainThread } from '../handle-main-thread.ts';
import { guardPackets } from './guard-packets.ts';
import { guardTopics } from './guard-topics.ts';
import { HeldPubacks } from './held-pubacks.ts';
import type { DeviceIdentity } from './identify-peer.ts';
import { listen } from '../listen.ts';
import { SocketGate } from './socket-gate.ts';
import { RejectedSockets } from './rejected-sockets.ts';
import { ViewerCounts } from './viewer-counts.ts';
import { viewerRights } from './viewer-policy.ts';

/** Delay before a device that connects too often is rejected. */
const CONNECT_PAUSE = { waitMs: 2_000, most: 5_000 };

const data = workerData as BrokerWorkerData;
if (!parentPort) throw new Error('the broker must run in a worker thread');
const port = new BatchPort(parentPort, data.creditBytes);
const held = new HeldPubacks();
const identities = new ConnectionIdentities();
const pendingConnections = new PendingConnections();
const viewers = new ViewerCounts();
const tooOften = new RefusalPause(CONNECT_PAUSE);
const rejectedSockets = new RejectedSockets((facts) =>
  port.post({ kind: 'rejected-sockets', ...facts }),
);
const gate = new SocketGate({
  limits: data.connections,
  onRejected: (address) => rejectedSockets.count(address),
});

const broker = new Aedes({
  concurrency: 5_000,
  queueLimit: 42,
  drainTimeout: SLOW_CLIENT_LIMIT_MS,
  connectTimeout: HANDSHAKE_LIMIT_MS,
  maxTopicLevels: TOPIC_LIMIT_LEVELS,
  keepaliveLimit: KEEP_ALIVE_LIMIT_SECONDS,
  preConnect(_client, packet, done) {
    // The broker keeps no sessions: their state is in the database and on the device.
    packet.clean = true;
    done(null, true);
  },
  authenticate: admitClient({ port, identities, pendingConnections, viewers, tooOften }),
  ...guardTopics({ port, held, identities }),
});
await broker.listen();
// Without a listener, an error of a client would end the thread.
broker.on('clientError', () => {});
broker.on('connectionError', () => {});
broker.on('client', (client) => {
  const identity = identities.of(client);
  if (identity?.kind === 'device') {
    gate.settle(client.conn as Socket);
    if (!pendingConnections.end(identity.deviceId, client.conn)) client.close();
  }
  if (identity?.kind === 'viewer') viewers.add(identity.viewerId);
});
broker.on('clientDisconnect', (client) => {
  const identity = identities.of(client);
  if (identity?.kind !== 'viewer') return;
  viewers.remove(identity.viewerId);
  port.viewerGone(client.id);
});

function serveDevice(socket: Socket, identity: DeviceIdentity | undefined): void {
  socket.setNoDelay(true);
  if (identity) identities.set(socket, identity);
  else identities.believe(socket);
  guardPackets(broker.handle(socket), {
    maxBytes: data.maxMessageBytes,
    allows: connectionRules('device', () => {
      if (identity) port.overflow(identity.deviceId, 'packets');
    }),
    onTooLarge: () => {
      if (!identity) return;
      const { deviceId, address } = identity;
      port.refuse({ deviceId, reason: 'message-too-large', address });
    },
  });
}

const viewerServer = acceptViewers((stream, handover) => {
  const { identityId } = handover;
  identities.set(stream, { kind: 'viewer', viewerId: identityId, may: viewerRights(handover) });
  guardPackets(broker.handle(stream), {
    maxBytes: data.maxMessageBytes,
    allows: connectionRules('viewer', () => {}),
    onTooLarge: () => {},
  });
});

const listeners = new DeviceListeners({ port, gate, tooOften, serve: serveDevice });
function stop(): void {
  listeners.close();
  viewerServer.close();
  broker.close(() => process.exit(0));
}

parentPort.on(
  'message',
  handleMainThread({
    ...{ port, identities, pendingConnections, listeners, stop },
    clients: new BrokerClients(broker, held),
  }),
);
try {
  const tlsPort = data.devices ? await listeners.listenTls(data.devices) : null;
  const plainPort = data.plain ? await listeners.listenPlain(data.plain) : null;
  if (data.viewerSocket) await listen(viewerServer, data.viewerSocket);
  port.post({ kind: 'listening', tlsPort, plainPort });
} catch (error) {
  port.post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
}
