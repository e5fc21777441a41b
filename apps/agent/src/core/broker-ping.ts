/** Round trips to the broker, measured with PINGREQ (MQTT 3.1.1, section 3.12). */

import type { MqttClient } from 'mqtt';

const LIMIT_MS = 5_000;
/** Loss is the share of unanswered pings among the last ones. */
const REMEMBERED = 10;

export interface BrokerReach {
  /** Undefined if there was no answer. */
  readonly latencyMs: number | undefined;
  readonly lossPercent: number;
}

export class BrokerPing {
  readonly #answered: boolean[] = [];

  /** @param client undefined without a connection: then nothing is answered */
  async measure(client: MqttClient | undefined): Promise<BrokerReach> {
    const latencyMs = client === undefined ? undefined : await roundTrip(client);
    this.#answered.push(latencyMs !== undefined);
    if (this.#answered.length > REMEMBERED) this.#answered.shift();
    const lost = this.#answered.filter((isAnswered) => !isAnswered).length;
    return { latencyMs, lossPercent: (lost / this.#answered.length) * 100 };
  }
}

function roundTrip(client: MqttClient): Promise<number | undefined> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    const end = (latencyMs: number | undefined): void => {
      clearTimeout(timer);
      client.off('packetreceive', receive);
      client.off('close', lost);
      resolve(latencyMs);
    };
    const receive = (packet: { readonly cmd: string }): void => {
      if (packet.cmd === 'pingresp') end(performance.now() - startedMs);
    };
    const lost = (): void => end(undefined);
    const timer = setTimeout(lost, LIMIT_MS);
    timer.unref();
    client.on('packetreceive', receive);
    client.on('close', lost);
    client.sendPing();
  });
}
