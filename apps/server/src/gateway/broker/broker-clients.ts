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

/** The connected clients by their ids: no matching over the whole tree of subscriptions. */
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
    // It does not read: what it misses it asks for again when it comes back.
    if (client && client.conn.writableLength > SLOW_CLIENT_LIMIT_BYTES) client.close();
    else client?.publish({ cmd: 'publish', dup: false, retain: false, ...packet }, () => {});
  }

  /**
   * The acknowledgement of a journal, and the PUBACKs that waited for it: what is written in one turn leaves as one
   * record. Past the broker, which would put it off by two turns. Lost to a device that does not read: it sends again.
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
