import type { UpChannel } from '@deviceportal/device-protocol/topics';
import type {
  DeviceTransport,
  DeviceTransportHandlers,
  DownMessage,
  UpMessage,
} from '../../../src/gateway/device-transport.ts';
import { isKilled } from '../crash-injector.ts';

/** A device, as seen by the broker. */
export interface BrokerClient {
  readonly isConnected: boolean;
  readonly receive: (message: DownMessage) => void;
}

/** A server's subscription. */
interface Subscriber {
  readonly isDead: () => boolean;
  handlers: DeviceTransportHandlers | undefined;
}

/** A broker shared by several servers: each message of a device goes to one of them. */
export class LossyBroker {
  readonly #clients = new Map<string, BrokerClient>();
  readonly #subscribers = new Set<Subscriber>();
  /** All messages of devices. */
  readonly said: UpMessage[] = [];
  /** Errors of message handlers, except those of killed servers. */
  readonly faults: unknown[] = [];
  #turn = 0;
  #underWay = 0;

  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  add(deviceId: string, client: BrokerClient): void {
    this.#clients.set(deviceId, client);
  }

  /** Accepts a message of a device immediately, whatever happens to it afterwards. */
  take(deviceId: string, channel: UpChannel, payload: string): void {
    const message = { deviceId, channel, payload: Buffer.from(payload) };
    this.said.push(message);
    void this.carry(message);
  }

  async carry(message: UpMessage): Promise<void> {
    const alive = [...this.#subscribers].filter((one) => one.handlers && !one.isDead());
    this.#turn += 1;
    const server = alive[this.#turn % alive.length];
    if (server === undefined) return;
    this.#underWay += 1;
    try {
      await server.handlers?.up([message]);
    } catch (error) {
      if (!isKilled(error)) this.faults.push(error);
    } finally {
      this.#underWay -= 1;
    }
  }

  transport(isDead: () => boolean): DeviceTransport {
    const subscriber: Subscriber = { isDead, handlers: undefined };
    return {
      ownsConnections: false,
      listeningMs: () => Number.POSITIVE_INFINITY,
      start: async (handlers) => {
        subscriber.handlers = handlers;
        this.#subscribers.add(subscriber);
      },
      publish: (messages) => {
        if (isDead()) return;
        for (const message of messages) {
          const client = this.#clients.get(message.deviceId);
          if (client?.isConnected === true) client.receive(message);
        }
      },
      disconnect: () => {},
      [Symbol.asyncDispose]: async () => {
        this.#subscribers.delete(subscriber);
      },
    };
  }
}
