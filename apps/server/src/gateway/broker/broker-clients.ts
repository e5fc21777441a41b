import type { Duplex } from 'node:stream';
import type { Aedes } from 'aedes';
import { writeToStream } from 'mqtt-packet';
import { SLOW_CLIENT_LIMIT_BYTES } from '@deviceportal/contract/device-limits';
import { downTopic } from '@deviceportal/device-protocol/topics';
import type { HeldPubacks } from './held-pubacks.ts';

export interface OpenClient {
  readonly publish: (packet: object, done: (error?: Error) => void) => void;
  readonly close: () => void;
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
   * Writes the acknowledgement of a journal and the PUBACKs held for it as one TLS record. Bypasses the broker's
   * queue, which would delay it by two turns. If it is lost, the device sends the journal again.
   */
  acknowledge(deviceId: string, payload: string): void {
    this.#held.release(deviceId);
    const client = this.find(deviceId);
    if (!client?.connected || client.conn.writableNeedDrain) return;
    const topic = downTopic(deviceId, 'ack');
    writeToStream(
      { cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false },
      client.conn,
    );
  }
}
