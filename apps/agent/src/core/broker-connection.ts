/**
 * The connection to the broker: MQTT 3.1.1 over TLS with the device's certificate, a will, a birth
 * message, and automatic reconnection. The session is clean, because the server and the journal
 * send again whatever is needed.
 */

import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import { downFilter, downTopic, upTopic } from '@deviceportal/device-protocol/topics';
import {
  downChannels,
  type DownChannel,
  type UpChannel,
} from '@deviceportal/device-protocol/topics';
import type { StatusMessage } from '@deviceportal/device-protocol/messages';
import { PROTOCOL_VERSION } from '@deviceportal/device-protocol/protocol-version';
import { trustedKeyOf } from '@deviceportal/command-signing/key-trust';
import { AGENT_VERSION } from '../agent-version.ts';
import { type Logger, reasonOf } from '../logger.ts';
import type { Identity } from '../store/identity-file.ts';
import { BackOff } from './back-off.ts';
import { BrokerChoice } from './broker-choice.ts';
import { BrokerPing, type BrokerReach } from './broker-ping.ts';
import type { ServiceOffers } from './service-offers.ts';

const CONNECT_TIMEOUT_MS = 30_000;
const LONGEST_KEEP_ALIVE_SECONDS = 60;
const STABLE_AFTER_MS = 10_000;
const GOODBYE_TIMEOUT_MS = 2_000;

export interface BrokerConnectionOptions {
  readonly identity: () => Identity;
  /** Brokers given by the operator, instead of those of the identity. */
  readonly brokerUrls?: readonly string[] | undefined;
  readonly onMessage: (channel: DownChannel, payload: Buffer) => void;
  readonly onUp: (brokerUrl: string) => void;
  readonly onDown: () => void;
  readonly log: Logger;
  /** For the birth message: what this device offers. */
  readonly offers?: () => ServiceOffers;
  readonly random: () => number;
  readonly backOffBaseMs?: number;
  readonly backOffCapMs?: number;
}

export class BrokerConnection {
  readonly #options: BrokerConnectionOptions;
  readonly #backOff: BackOff;
  readonly #brokers: BrokerChoice;
  readonly #ping = new BrokerPing();
  #client: MqttClient | undefined;
  #connectionId = '';
  #up = false;
  #wanted = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #stableTimer: NodeJS.Timeout | undefined;

  constructor(options: BrokerConnectionOptions) {
    this.#options = options;
    this.#backOff = new BackOff({
      baseMs: options.backOffBaseMs ?? 1_000,
      capMs: options.backOffCapMs ?? 30_000,
      random: options.random,
    });
    this.#brokers = new BrokerChoice({
      identity: options.identity,
      given: options.brokerUrls,
      random: options.random,
    });
  }

  get isUp(): boolean {
    return this.#up;
  }

  start(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#connect();
  }

  /** Disconnects in order if the broker is reachable, and does not reconnect. */
  async stop(reason: 'shutdown' | 'upgrade'): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#retryTimer);
    const client = this.#client;
    if (!client) return;
    const wasUp = this.#up;
    if (wasUp) {
      const said = this.publish('status', JSON.stringify(this.#status('offline', reason)), 1);
      await Promise.race([said.catch(() => {}), delay(GOODBYE_TIMEOUT_MS)]);
    }
    this.#drop();
    // Only a DISCONNECT packet prevents the will from being published (MQTT 3.1.1, section 3.14.4).
    const ended = new Promise<void>((resolve) => {
      client.end(!wasUp, () => resolve());
    });
    await Promise.race([ended, delay(GOODBYE_TIMEOUT_MS)]);
    client.end(true);
  }

  /** Drops the connection without an orderly disconnect until `start`, as in a network outage. */
  vanish(): void {
    this.#wanted = false;
    clearTimeout(this.#retryTimer);
    const client = this.#client;
    this.#drop();
    client?.stream?.destroy();
    client?.end(true);
  }

  /** Reconnects immediately, for example with a renewed certificate. */
  reconnect(): void {
    if (!this.#wanted) return;
    const client = this.#client;
    if (client) {
      this.#drop();
      client.end(true);
    }
    clearTimeout(this.#retryTimer);
    this.#connect();
  }

  /** Sends the birth message, or sends it again when its content has changed. */
  announce(): void {
    this.publish('status', JSON.stringify(this.#status('online', null)), 1).catch(() => {});
  }

  /**
   * Resolves when the broker has acknowledged the message; rejects if the connection is lost
   * before.
   */
  publish(channel: UpChannel, payload: string | Uint8Array, qos: 0 | 1): Promise<void> {
    const client = this.#client;
    if (!client || !this.#up) return Promise.reject(new Error('not connected'));
    return new Promise((resolve, reject) => {
      client.publish(
        upTopic(this.#options.identity().deviceId, channel),
        typeof payload === 'string' ? payload : Buffer.from(payload),
        { qos },
        (error) => (error ? reject(error) : resolve()),
      );
    });
  }

  /** Round trip to the broker, and the share of those that failed. */
  measure(): Promise<BrokerReach> {
    return this.#ping.measure(this.#up ? this.#client : undefined);
  }

  #connect(): void {
    const identity = this.#options.identity();
    this.#connectionId = randomUUID();
    const brokerUrl = this.#brokers.next();
    const client = mqtt.connect(brokerUrl, this.#clientOptions(identity, brokerUrl));
    this.#client = client;
    client.on('connect', () => this.#greet(client, identity, brokerUrl));
    client.on('message', (topic, payload) => {
      if (client !== this.#client) return;
      const channel = downChannels.find((name) => topic === downTopic(identity.deviceId, name));
      if (channel) this.#options.onMessage(channel, payload);
    });
    client.on('error', (error) => {
      if (client !== this.#client) return;
      this.#options.log('warn', 'broker connection failed', {
        reason: reasonOf(error),
        broker: brokerUrl,
      });
    });
    client.on('close', () => this.#lost(client, brokerUrl));
  }

  #clientOptions(identity: Identity, brokerUrl: string): IClientOptions {
    const secure = brokerUrl.startsWith('mqtts:');
    return {
      protocolVersion: 4,
      clientId: identity.deviceId,
      clean: true,
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
      connectTimeout: CONNECT_TIMEOUT_MS,
      keepalive: Math.min(identity.connection?.heartbeatSeconds ?? 60, LONGEST_KEEP_ALIVE_SECONDS),
      // Own messages do not show that the broker still answers.
      reschedulePings: false,
      timerVariant: 'native',
      will: {
        topic: upTopic(identity.deviceId, 'status'),
        payload: Buffer.from(JSON.stringify(this.#status('offline', 'connection-lost'))),
        qos: 1,
        retain: false,
      },
      // Without TLS, there is no certificate. The username identifies the device, and the broker
      // decides whether to trust it.
      ...(secure
        ? { ca: trustedBy(identity), cert: identity.certificate, key: identity.privateKey }
        : { username: identity.deviceId }),
    };
  }

  #greet(client: MqttClient, { deviceId, connection }: Identity, brokerUrl: string): void {
    if (client !== this.#client) return;
    withoutNagle(client);
    const qos = connection?.subscriptionQos ?? 1;
    // Subscribe before the birth message, because the server responds to it with queued messages.
    client.subscribe(downFilter(deviceId), { qos }, (error) => {
      if (client !== this.#client) return;
      if (error) {
        this.#options.log('warn', 'subscription refused', { reason: reasonOf(error) });
        client.end(true);
        return;
      }
      this.#up = true;
      this.#stableTimer = setTimeout(() => {
        this.#backOff.reset();
        this.#brokers.worked();
      }, STABLE_AFTER_MS);
      this.#stableTimer.unref();
      this.announce();
      this.#options.onUp(brokerUrl);
    });
  }

  #lost(client: MqttClient, brokerUrl: string): void {
    if (client !== this.#client) return;
    this.#drop();
    this.#brokers.failed(brokerUrl);
    client.end(true);
    if (!this.#wanted) return;
    const waitMs = this.#backOff.next();
    this.#retryTimer = setTimeout(() => this.#connect(), waitMs);
  }

  #drop(): void {
    this.#client = undefined;
    clearTimeout(this.#stableTimer);
    if (!this.#up) return;
    this.#up = false;
    this.#options.onDown();
  }

  #status(state: 'online' | 'offline', reason: StatusMessage['reason']): StatusMessage {
    const { instanceId, trust } = this.#options.identity();
    return {
      state,
      connectionId: this.#connectionId,
      instanceId,
      agentVersion: AGENT_VERSION,
      protocol: PROTOCOL_VERSION,
      reason,
      runKeys: trust.runs.keys.map((key) => trustedKeyOf(key).keyId),
      releaseKeys: trust.releases.keys.map((key) => trustedKeyOf(key).keyId),
      ...this.#options.offers?.(),
    };
  }
}

/** The device authority, and the authorities of brokers that have certificates of another one. */
const trustedBy = ({ authorities, connection }: Identity): string =>
  [authorities, connection?.brokerAuthorities ?? ''].join('\n');

/**
 * Disables Nagle's algorithm, which together with delayed acknowledgments costs 40 ms per message
 * (RFC 896, RFC 1122 4.2.3.4).
 */
function withoutNagle(client: MqttClient): void {
  if (client.stream instanceof Socket) client.stream.setNoDelay(true);
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
