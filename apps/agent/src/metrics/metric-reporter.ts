/**
 * Measures at intervals and sends what was measured, also through outages. One message is in flight
 * at a time, and none while the journal has something to send, so that results of commands are never
 * delayed.
 */

import {
  METRIC_SAMPLES_PER_MESSAGE,
  type MetricValues,
} from '@deviceportal/contract/device-metrics';
import {
  encodeMetricMessage,
  metricsAckSchema,
} from '@deviceportal/device-protocol/metric-message';
import type { ConnectionMessage } from '@deviceportal/device-protocol/messages';
import { type Logger, reasonOf } from '../logger.ts';
import type { MetricStore } from './metric-store.ts';

/** The server's settings arrive within seconds of a new connection and may switch metrics off. */
const FIRST_SEND_MS = 6_000;
const FIRST_SEND_SPREAD_MS = 10_000;
const NEXT_SEND_MS = 250;
/** The first samples of a connection are sent soon, so that a new device has charts. */
const SOON_MS = 5_000;
const SENT_SOON = 2;
const ACK_WAIT_MS = 30_000;
const MOST_WAIT_MS = 1_800_000;
const YIELD_MS = 1_000;
/** A device that always has something in its journal still reports. */
const MOST_YIELDS = 30;
/** After a command: its effect is measured, and sent without waiting for the interval. */
const AFTER_COMMAND_MS = 20_000;

export type MetricSettings = NonNullable<ConnectionMessage['metrics']>;

export interface MetricReporterOptions {
  readonly store: MetricStore;
  /** Undefined while metrics are switched off. */
  readonly settings: () => MetricSettings | undefined;
  readonly instanceId: () => string;
  readonly measure: () => Promise<MetricValues>;
  /** The server's time as far as known, in milliseconds since 1970. */
  readonly serverNow: () => number;
  /** Whether `serverNow` is the server's time, not that of a clock that may be wrong. */
  readonly isTimeKnown: () => boolean;
  /** Whether the journal waits for something that was sent or is to be sent. */
  readonly isJournalBusy: () => boolean;
  readonly random: () => number;
  readonly log: Logger;
}

/** Sends a message; rejects without a connection. */
export type SendMetrics = (payload: Uint8Array) => Promise<void>;

export class MetricReporter {
  readonly #options: MetricReporterOptions;
  #send: SendMetrics | undefined;
  #sampleTimer: NodeJS.Timeout | undefined;
  #sendTimer: NodeJS.Timeout | undefined;
  #sendDueMs = Number.POSITIVE_INFINITY;
  #waiting: { readonly upTo: number } | undefined;
  #failures = 0;
  /** Messages of this connection. */
  #sent = 0;
  #yields = 0;
  #running = false;
  #lastSecond = 0;

  constructor(options: MetricReporterOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#scheduleSample(this.#options.random());
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#sampleTimer);
    this.detach();
  }

  /** Called for a new connection. */
  attach(send: SendMetrics): void {
    this.#send = send;
    this.#failures = 0;
    this.#sent = 0;
    this.#scheduleSend(FIRST_SEND_MS + this.#options.random() * FIRST_SEND_SPREAD_MS);
  }

  detach(): void {
    this.#send = undefined;
    this.#waiting = undefined;
    this.#clearSend();
  }

  /** Settings have changed. */
  adjust(): void {
    if (!this.#running) return;
    clearTimeout(this.#sampleTimer);
    this.#scheduleSample(this.#options.random());
  }

  /** A command has finished. */
  commandFinished(): void {
    if (!this.#running || this.#options.settings() === undefined) return;
    void this.sample();
    this.#scheduleSend(AFTER_COMMAND_MS);
  }

  /** Takes one sample. Never rejects. */
  async sample(): Promise<void> {
    const { store, measure, serverNow, isTimeKnown, log } = this.#options;
    try {
      const values = await measure();
      const second = Math.round(serverNow() / 1_000);
      // Two samples of the same second would be one on the server.
      if (second === this.#lastSecond || Object.keys(values).length === 0) return;
      this.#lastSecond = second;
      store.append({ at: second, values }, { isTimeKnown: isTimeKnown() });
      if (this.#send !== undefined && this.#sendTimer === undefined) this.#scheduleNextSend();
    } catch (error) {
      log('warn', 'metrics not measured', { reason: reasonOf(error) });
    }
  }

  acknowledge(message: unknown): void {
    const ack = metricsAckSchema.safeParse(message);
    if (!ack.success || this.#waiting === undefined) return;
    const { upTo, waitMs } = ack.data;
    if (waitMs !== undefined) {
      this.#waiting = undefined;
      this.#scheduleSend(waitMs, true);
      return;
    }
    if (upTo !== this.#waiting.upTo) return;
    this.#waiting = undefined;
    this.#failures = 0;
    this.#options.store.acknowledge(upTo);
    this.#clearSend();
    if (this.#options.store.samples >= METRIC_SAMPLES_PER_MESSAGE) this.#scheduleSend(NEXT_SEND_MS);
    else this.#scheduleNextSend();
  }

  #scheduleSample(phase = 1): void {
    const settings = this.#options.settings();
    // Without settings, look again later: they come with the next connection at the earliest.
    const everyMs = (settings?.sampleSeconds ?? 60) * 1_000;
    this.#sampleTimer = setTimeout(() => {
      if (this.#options.settings() !== undefined) void this.sample();
      this.#scheduleSample();
    }, everyMs * phase);
    this.#sampleTimer.unref();
  }

  #scheduleNextSend(): void {
    const { settings, store } = this.#options;
    const sendMs = this.#sent < SENT_SOON ? SOON_MS : (settings()?.sendSeconds ?? 300) * 1_000;
    this.#scheduleSend(store.samples >= METRIC_SAMPLES_PER_MESSAGE ? NEXT_SEND_MS : sendMs);
  }

  /** The earliest time counts, unless the server has set it. */
  #scheduleSend(afterMs: number, isFixed = false): void {
    if (this.#send === undefined) return;
    const dueMs = performance.now() + afterMs;
    if (!isFixed && dueMs >= this.#sendDueMs) return;
    clearTimeout(this.#sendTimer);
    this.#sendDueMs = dueMs;
    this.#sendTimer = setTimeout(() => void this.#sendOldest(), afterMs);
    this.#sendTimer.unref();
  }

  #clearSend(): void {
    clearTimeout(this.#sendTimer);
    this.#sendTimer = undefined;
    this.#sendDueMs = Number.POSITIVE_INFINITY;
  }

  async #sendOldest(): Promise<void> {
    this.#clearSend();
    const { store, settings, instanceId, isJournalBusy } = this.#options;
    if (this.#send === undefined || settings() === undefined) return;
    if (this.#waiting !== undefined) this.#failures += 1;
    if (isJournalBusy() && this.#yields < MOST_YIELDS) {
      this.#yields += 1;
      return this.#scheduleSend(YIELD_MS);
    }
    this.#yields = 0;
    const part = store.oldest(METRIC_SAMPLES_PER_MESSAGE);
    if (part === undefined) return;
    this.#waiting = { upTo: part.upTo };
    this.#sent += 1;
    this.#scheduleSend(Math.min(MOST_WAIT_MS, ACK_WAIT_MS * 2 ** this.#failures));
    // A failure ends the connection, and the samples are sent on the next one.
    await this.#send(encodeMetricMessage({ instanceId: instanceId(), ...part })).catch(() => {});
  }
}
