import { setTimeout as sleep } from 'node:timers/promises';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { BrokerFaultLog } from './broker-fault-log.ts';
import type { GatewayLogger } from './gateway-logger.ts';

export interface BrokerLinkOptions {
  /** Tried in this order, starting over after the last one. */
  readonly urls: readonly string[];
  /** @returns options of a new connection */
  readonly clientOptions: () => IClientOptions;
  /** Topic filter, subscribed with QoS 1 on each connection. */
  readonly filter: string;
  readonly onMessage: (topic: string, payload: Buffer) => void;
  readonly logger: GatewayLogger;
}

const RECONNECT_MS = 1_000;
const CONNECT_LIMIT_MS = 10_000;

/** One connection to one of several brokers at a time. When it is lost, the next broker is tried. */
export class BrokerLink implements AsyncDisposable {
  readonly #options: BrokerLinkOptions;
  readonly #stop = new AbortController();
  readonly #faults: BrokerFaultLog;
  readonly #reached = Promise.withResolvers<void>();
  readonly #wanted = Promise.withResolvers<void>();
  readonly #listening = Promise.withResolvers<void>();
  #client: MqttClient | undefined;
  #listeningSinceMs: number | undefined;

  constructor(options: BrokerLinkOptions) {
    this.#options = options;
    this.#faults = new BrokerFaultLog(options.logger);
    void this.#keepConnected();
  }

  /** Resolves when a broker was reached for the first time. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  /** Receives messages from now on. Resolves when the first broker has accepted the subscription. */
  listen(): Promise<void> {
    this.#wanted.resolve();
    return this.#listening.promise;
  }

  get lastFault(): Error | undefined {
    return this.#faults.last;
  }

  /** How long messages have been received without interruption, in milliseconds. */
  get listeningMs(): number {
    return this.#listeningSinceMs === undefined ? 0 : performance.now() - this.#listeningSinceMs;
  }

  /** Dropped while there is no connection. */
  publish(topic: string, payload: string, qos: 0 | 1): void {
    if (this.#listeningSinceMs === undefined) return;
    this.#client?.publish(topic, payload, { qos }, () => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#client?.endAsync(true);
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#stop;
    const { urls } = this.#options;
    for (let turn = 0; !signal.aborted; turn += 1) {
      await this.#serve(urls[turn % urls.length] ?? '');
      // Gateways that lost the same broker do not return at the same moment.
      await sleep(RECONNECT_MS * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
    }
  }

  /** Resolves when the connection has ended. */
  async #serve(url: string): Promise<void> {
    const { clientOptions, onMessage } = this.#options;
    const ended = Promise.withResolvers<void>();
    const client = mqtt.connect(url, {
      ...clientOptions(),
      reconnectPeriod: 0,
      connectTimeout: CONNECT_LIMIT_MS,
      resubscribe: false,
      queueQoSZero: false,
    });
    this.#client = client;
    const host = new URL(url).host;
    client.on('message', onMessage);
    client.on('error', (error) => this.#faults.note(error, host));
    client.on('close', () => ended.resolve());
    client.on('connect', () => void this.#subscribe(client, host));
    await ended.promise;
    this.#listeningSinceMs = undefined;
    if (!this.#stop.signal.aborted) client.end(true);
  }

  async #subscribe(client: MqttClient, host: string): Promise<void> {
    this.#reached.resolve();
    await this.#wanted.promise;
    try {
      await client.subscribeAsync(this.#options.filter, { qos: 1 });
      this.#listeningSinceMs = performance.now();
      this.#faults.end(host);
      this.#listening.resolve();
    } catch (error) {
      this.#faults.note(error instanceof Error ? error : new Error(String(error)), host);
      client.end(true);
    }
  }
}
