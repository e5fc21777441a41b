import { downTopic } from '@deviceportal/device-protocol/topics';
import type { BrokerClients } from './broker-clients.ts';
import { unpackDown, type PackedDown, type UnpackedMessage } from './packed-down.ts';

/** Few enough that the answers of the first devices are read while the others are sent the same command. */
const MOST_PER_TURN = 100;

/**
 * Sends messages to devices in their order, some in each turn of the event loop. Acknowledgements are not delayed by the
 * other messages.
 */
export class DownQueue {
  readonly #clients: Pick<BrokerClients, 'acknowledge' | 'deliver' | 'send'>;
  #waiting: UnpackedMessage[] = [];
  #next = 0;

  constructor(clients: Pick<BrokerClients, 'acknowledge' | 'deliver' | 'send'>) {
    this.#clients = clients;
  }

  add(packed: PackedDown): void {
    const isIdle = this.#waiting.length === 0;
    for (const message of unpackDown(packed))
      if (message.channel === 'ack') this.#clients.acknowledge(message.deviceId, message.payload);
      else this.#waiting.push(message);
    if (isIdle) this.#sendSome();
  }

  #sendSome(): void {
    let hasSent = false;
    for (const last = this.#next + MOST_PER_TURN; this.#next < last; this.#next += 1) {
      const message = this.#waiting[this.#next];
      if (message === undefined) break;
      const { deviceId, channel, payload, sharedEnd, qos } = message;
      const topic = downTopic(deviceId, channel);
      if (channel !== 'command') {
        hasSent = true;
        const whole = sharedEnd === undefined ? payload : payload + sharedEnd.toString();
        this.#clients.send(deviceId, { topic, payload: whole, qos });
      } else if (hasSent) {
        // The broker writes its packets in the next turn. A command must not overtake the key that it is signed with.
        break;
      } else this.#clients.deliver(deviceId, { topic, payload, sharedEnd });
    }
    if (this.#next < this.#waiting.length) return void setImmediate(() => this.#sendSome());
    this.#waiting = [];
    this.#next = 0;
  }
}
