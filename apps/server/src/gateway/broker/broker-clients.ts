import type { Duplex } from 'node:stream';
import type { Aedes } from 'aedes';
import { SLOW_CLIENT_LIMIT_BYTES } from '@deviceportal/contract/device-limits';
import { downTopic } from '@deviceportal/device-protocol/topics';
import type { HeldPubacks } from './held-pubacks.ts';
import { publishPacket } from './publish-packet.ts';

export interface OpenClient {
  readonly publish: (packet: object, done: (error?: Error) => void) => void;
  readonly close: () => void;
  /** Ends the connection if its peer reads nothing for some time. */
  readonly waitForDrain: (done: () => void) => void;
  readonly connected: boolean;
  readonly conn: Duplex;
}

/** The connected clients by client id, to publish without matching the tree of subscriptions. */
export class BrokerClients {
  readonly #broker: Aedes;
  readonly #held: HeldPubacks;

  constructor(broker: Aedes, held: HeldPubacks) {
    this.#broker = broker;
    this.#held = held;
  }

  get count(): number {
    return this.#broker.connectedClients;
  }

  find(id: string): OpenClient | undefined {
    const { clients } = this.#broker as unknown as {
      readonly clients: Record<string, OpenClient | undefined>;
    };
    return clients[id];
  }

  send(id: string, packet: { topic: string; payload: string; qos: 0 | 1 }): void {
    const client = this.find(id);
    // The client does not read. It requests the missed messages again after it reconnects.
    if (client && client.conn.writableLength > SLOW_CLIENT_LIMIT_BYTES) client.close();
    else client?.publish({ cmd: 'publish', dup: false, retain: false, ...packet }, () => {});
  }

  /**
   * Writes a command with QoS 0, past the broker's queue: its answer is an entry of the journal. A command without one is
   * sent again after a time and whenever the device connects, so that a PUBACK would only be one more packet.
   */
  deliver(
    id: string,
    {
      topic,
      payload,
      sharedEnd,
    }: { topic: string; payload: string; sharedEnd?: Buffer | undefined },
  ): void {
    const client = this.find(id);
    if (!client?.connected) return;
    if (client.conn.writableLength > SLOW_CLIENT_LIMIT_BYTES) return client.close();
    const isRead = client.conn.write(publishPacket(topic, payload, sharedEnd));
    if (!isRead) client.waitForDrain(() => {});
  }

  /**
   * Writes the acknowledgement of a journal and the PUBACKs held for it as one TLS record. Bypasses the broker's
   * queue, which would delay it by two turns. If it is lost, the device sends the journal again.
   */
  acknowledge(deviceId: string, payload: string): void {
    this.#held.release(deviceId);
    const client = this.find(deviceId);
    if (!client?.connected || client.conn.writableNeedDrain) return;
    client.conn.write(publishPacket(downTopic(deviceId, 'ack'), payload));
  }
}
