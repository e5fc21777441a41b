import { RETRY_BACKOFF_CAP_MS } from '@deviceportal/contract/constants';
import { openMqttSocket, type MqttSocket } from './mqtt-socket.ts';

export interface ConnectionTarget {
  readonly url: string;
  /** Unique for each connection, because the server ends an older connection with the same ID. */
  readonly clientId: string;
  readonly subscribeTo: string;
  readonly publishTo: string;
  /** The expiry of the credentials and therefore of the connection, in milliseconds since 1970. */
  readonly endsAtMs: number;
}

export interface MqttConnectionOptions {
  /** Called before each attempt, because credentials and signature must be new. */
  readonly target: () => Promise<ConnectionTarget>;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onMessage: (payload: Uint8Array) => void;
  readonly random?: () => number;
}

export interface MqttConnection extends Disposable {
  /** Ignored without a connection. Everything that matters is sent again after opening. */
  readonly publish: (payload: string) => void;
  /** Checks whether the connection is alive, or reconnects immediately if there is none. */
  readonly check: () => void;
}

const FIRST_DELAY_MS = 1_000;
/** Milliseconds before the expiry of its credentials at which a connection is replaced. */
const RENEW_LEAD_MS = 300_000;
const MIN_LIFE_MS = 60_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Half to all of 1 s, 2 s, 4 s … 20 s. The jitter spreads the reconnections of many browsers. */
export function reconnectDelayMs(failures: number, random: number): number {
  const fullMs = Math.min(FIRST_DELAY_MS * 2 ** failures, RETRY_BACKOFF_CAP_MS);
  return Math.round(fullMs * (0.5 + random / 2));
}

/** Milliseconds until a connection renews its credentials. Null if no newer ones are available. */
export function renewAfterMs(endsAtMs: number, nowMs: number): number | null {
  const leftMs = endsAtMs - RENEW_LEAD_MS - nowMs;
  return leftMs < MIN_LIFE_MS ? null : Math.min(leftMs, MAX_TIMER_MS);
}

/** A connection that reconnects with back-off and new credentials until it is disposed. */
export function openMqttConnection(options: MqttConnectionOptions): MqttConnection {
  return new ReconnectingMqtt(options);
}

class ReconnectingMqtt implements MqttConnection {
  readonly #options: MqttConnectionOptions;
  #socket: MqttSocket | undefined;
  #topic = '';
  #connecting = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #ended = false;

  constructor(options: MqttConnectionOptions) {
    this.#options = options;
    void this.#connect();
  }

  publish(payload: string): void {
    this.#socket?.publish(this.#topic, payload);
  }

  check(): void {
    if (this.#ended) return;
    if (this.#socket !== undefined) this.#socket.probe();
    else this.#again(0);
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#renewal);
    this.#socket?.close();
  }

  #again(delayMs: number): void {
    clearTimeout(this.#retry);
    if (!this.#ended && !this.#connecting)
      this.#retry = setTimeout(() => void this.#connect(), delayMs);
  }

  #fail(): void {
    const delayMs = reconnectDelayMs(this.#failures, (this.#options.random ?? Math.random)());
    this.#failures += 1;
    this.#again(delayMs);
  }

  async #connect(): Promise<void> {
    if (this.#connecting || this.#socket !== undefined) return;
    this.#connecting = true;
    const target = await this.#options.target().catch(() => undefined);
    this.#connecting = false;
    if (this.#ended) return;
    // No session or no identity pool at present. Retries with the same back-off.
    if (target === undefined) return this.#fail();
    this.#topic = target.publishTo;
    let isRenewal = false;
    this.#socket = openMqttSocket(target, {
      onOpen: () => {
        this.#failures = 0;
        const delayMs = renewAfterMs(target.endsAtMs, Date.now());
        if (delayMs !== null)
          this.#renewal = setTimeout(() => {
            isRenewal = true;
            this.#socket?.close();
          }, delayMs);
        this.#options.onOpen();
      },
      onClose: () => {
        clearTimeout(this.#renewal);
        this.#socket = undefined;
        if (this.#ended) return;
        this.#options.onClose();
        if (isRenewal) this.#again(0);
        else this.#fail();
      },
      onMessage: this.#options.onMessage,
    });
  }
}
