/** One web page session on the device: its requests, and its end. Knows no clock. */

import {
  WEB_PAGE_SILENCE_MS,
  WEB_PAGE_STREAMS,
  type WebPageCloseReason,
  type WebPageUp,
  type WebStreamMessage,
} from '@deviceportal/device-protocol/web-page-message';
import { WebExchange } from './web-exchange.ts';

/** Streams that have ended: a late message begins none again. */
const MOST_ENDED = 4_096;

export interface WebPageSessionOptions {
  readonly session: string;
  readonly port: number;
  readonly send: (message: WebPageUp) => void;
  readonly onOutput: () => void;
  readonly onEnded: () => void;
  readonly nowMs: number;
  readonly endsAtMs: number;
}

export class WebPageSession {
  readonly #options: WebPageSessionOptions;
  readonly #exchanges = new Map<string, WebExchange>();
  readonly #ended = new Set<string>();
  #keptAtMs: number;

  constructor(options: WebPageSessionOptions) {
    this.#options = options;
    this.#keptAtMs = options.nowMs;
  }

  get exchanges(): number {
    return this.#exchanges.size;
  }

  keep(nowMs: number): void {
    this.#keptAtMs = nowMs;
  }

  take(message: WebStreamMessage, nowMs: number): void {
    const { stream } = message;
    const exchange = this.#exchanges.get(stream) ?? this.#begin(message);
    if (exchange === undefined) {
      if (message.kind !== 'reset') this.#reset(stream);
      return;
    }
    exchange.take(message, nowMs);
    if (exchange.isOver) this.#forget(stream);
  }

  /** Sends at most so many bytes, from one request after the other. Returns what was used. */
  flush(nowMs: number, most: number): number {
    let used = 0;
    for (const [stream, exchange] of [...this.#exchanges]) {
      if (used >= most) break;
      const cost = exchange.flush(nowMs, Math.min(most - used, SHARE_BYTES));
      used += cost;
      // The next time, the others come first.
      if (cost > 0 && this.#exchanges.delete(stream)) this.#exchanges.set(stream, exchange);
    }
    return used;
  }

  tick(nowMs: number): void {
    if (nowMs > this.#options.endsAtMs) this.end('too-long');
    else if (nowMs - this.#keptAtMs > WEB_PAGE_SILENCE_MS) this.end('connection-lost');
    for (const [stream, exchange] of [...this.#exchanges])
      if (exchange.isForgotten(nowMs)) this.#forget(stream);
  }

  rewind(): void {
    for (const exchange of this.#exchanges.values()) exchange.rewind();
  }

  /** Without a reason: as the server wished. */
  end(reason?: WebPageCloseReason): void {
    const { session, send, onEnded } = this.#options;
    for (const exchange of this.#exchanges.values()) exchange.close();
    this.#exchanges.clear();
    if (reason !== undefined) send({ kind: 'closed', session, reason });
    onEnded();
  }

  /** Only the first bytes of a stream begin it. */
  #begin(message: WebStreamMessage): WebExchange | undefined {
    const { stream } = message;
    const isFirst = message.kind === 'data' && message.offset === 0;
    if (!isFirst || this.#ended.has(stream) || this.#exchanges.size >= WEB_PAGE_STREAMS)
      return undefined;
    const { session, port, send, onOutput } = this.#options;
    const exchange = new WebExchange({ session, stream, port, send, onOutput });
    this.#exchanges.set(stream, exchange);
    return exchange;
  }

  #forget(stream: string): void {
    this.#exchanges.get(stream)?.close();
    this.#exchanges.delete(stream);
    const [oldest] = this.#ended;
    if (this.#ended.size >= MOST_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    this.#ended.add(stream);
  }

  #reset(stream: string): void {
    const { session, send } = this.#options;
    send({ kind: 'reset', session, stream });
  }
}

/** Bytes of one request before it is the turn of the next one. */
const SHARE_BYTES = 64 * 1_024;
