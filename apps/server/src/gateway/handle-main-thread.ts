import { liveTopic } from '@deviceportal/contract/live-topics';
import type { PendingConnections } from './pending-connections.ts';
import type { BatchPort } from './broker/broker-batch-port.ts';
import type { BrokerClients } from './broker/broker-clients.ts';
import type { ToBroker } from './broker/broker-messages.ts';
import { mayReceive } from './broker/broker-policy.ts';
import type { ConnectionIdentities } from './broker/connection-identities.ts';
import type { DeviceListeners } from './device-listeners.ts';
import { DownQueue } from './broker/down-queue.ts';

/** Unread bytes that a browser may accumulate on the live channel. */
const MOST_UNREAD_BYTES = 2 * 1024 * 1024;

export interface ControlledBroker {
  readonly port: BatchPort;
  readonly clients: BrokerClients;
  readonly identities: ConnectionIdentities;
  readonly pendingConnections: PendingConnections;
  readonly listeners: DeviceListeners;
  readonly stop: () => void;
}

/** Executes the orders of the main thread. */
export function handleMainThread(broker: ControlledBroker): (message: ToBroker) => void {
  const { port, clients, pendingConnections, listeners } = broker;
  const down = new DownQueue(clients);
  return (message) => {
    switch (message.kind) {
      case 'admitted':
        for (const { ref, admission } of message.answers) port.answerAdmission(ref, admission);
        return;
      case 'credit':
        port.addCredit(message.bytes);
        return;
      case 'certificates':
        listeners.useCertificates(message.certificates);
        return;
      case 'down':
        down.add(message);
        return;
      case 'live':
        sendLive(broker, message);
        return;
      case 'disconnect':
        for (const deviceId of message.deviceIds) {
          clients.find(deviceId)?.close();
          pendingConnections.reject(deviceId);
        }
        return;
      case 'end-viewers':
        for (const connection of message.connections) clients.find(connection)?.close();
        return;
      case 'count':
        // Only if node was started with --expose-gc, to measure memory.
        globalThis.gc?.();
        port.post({ kind: 'connections', count: clients.count });
        return;
      case 'stop':
        broker.stop();
    }
  };
}

function sendLive(
  { clients, identities }: ControlledBroker,
  { messages }: Extract<ToBroker, { kind: 'live' }>,
): void {
  for (const { connection, viewerId, payload } of messages) {
    const topic = liveTopic(viewerId);
    const client = clients.find(connection);
    if (!mayReceive(identities.of(client), topic)) continue;
    // A client that does not read is disconnected. It reconnects and receives the state of that time.
    if ((client?.conn.writableLength ?? 0) > MOST_UNREAD_BYTES) client?.conn.destroy();
    else clients.send(connection, { topic, payload, qos: 0 });
  }
}
