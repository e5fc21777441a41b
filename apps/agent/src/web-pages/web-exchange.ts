/** One HTTP request to the local web server of the device, and its response. Knows no clock. */

import { request as sendRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { WEB_PAGE_RESPONSE_BYTES } from '@deviceportal/contract/web-pages';
import { newBytes, StreamSender } from '@deviceportal/device-protocol/terminal-stream';
import {
  bodyFrames,
  endFrame,
  failedFrame,
  headFrame,
  readHead,
  WebFrameReader,
  webRequestHeadSchema,
  type WebFailure,
  type WebFrame,
} from '@deviceportal/device-protocol/web-frames';
import {
  WEB_PAGE_CHUNK_BYTES,
  WEB_PAGE_RETRY_MS,
  WEB_PAGE_WINDOW_BYTES,
  type WebStreamMessage,
} from '@deviceportal/device-protocol/web-page-message';
import { requestHeadersOf, responseHeadersOf } from './forwarded-headers.ts';

const HEAD_WITHIN_MS = 60_000;
const SILENT_MS = 5 * 60_000;
/** The server sends an acknowledgment every 5 seconds. */
const FORGOTTEN_MS = 30_000;
const HEADERS_LIMIT_BYTES = 32 * 1_024;

export interface WebExchangeOptions {
  readonly session: string;
  readonly stream: string;
  readonly port: number;
  readonly send: (message: WebStreamMessage) => void;
  /** There is something to send. */
  readonly onOutput: () => void;
  /** How long the local server may take to begin its response. */
  readonly headWithinMs?: number;
}

export class WebExchange {
  readonly #options: WebExchangeOptions;
  readonly #frames = new WebFrameReader();
  readonly #output = new StreamSender({
    chunkBytes: WEB_PAGE_CHUNK_BYTES,
    limit: WEB_PAGE_WINDOW_BYTES,
    retryMs: WEB_PAGE_RETRY_MS,
  });
  #upTo = 0;
  /** How far the server may send. */
  #limit = WEB_PAGE_WINDOW_BYTES;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #headTimer: NodeJS.Timeout | undefined;
  #bodyLeft = 0;
  #sentBytes = 0;
  /** The last frame of the response is in `#output`. */
  #isAnswered = false;
  #isClosed = false;
  #heardAtMs = Number.POSITIVE_INFINITY;

  constructor(options: WebExchangeOptions) {
    this.#options = options;
  }

  /** The response has arrived completely. */
  get isOver(): boolean {
    return this.#isClosed || (this.#isAnswered && this.#output.isSettled);
  }

  /** The server that asked does not answer any more. */
  isForgotten(nowMs: number): boolean {
    return nowMs - this.#heardAtMs > FORGOTTEN_MS;
  }

  take(message: WebStreamMessage, nowMs: number): void {
    if (this.#isClosed) return;
    this.#heardAtMs = nowMs;
    if (message.kind === 'reset') return this.close();
    if (message.kind === 'ack') {
      this.#output.acknowledge(message.upTo);
      this.#output.allow(message.limit);
      if (this.#output.held < WEB_PAGE_WINDOW_BYTES) this.#response?.resume();
      this.#options.onOutput();
      return;
    }
    const bytes = newBytes(this.#upTo, {
      offset: message.offset,
      bytes: Buffer.from(message.data, 'base64'),
    });
    // A server that does not keep to the limit does not fill the memory.
    if (bytes !== null && this.#upTo + bytes.length <= this.#limit) {
      this.#upTo += bytes.length;
      this.#read(bytes);
    }
    this.#acknowledge();
  }

  /** Sends at most so many bytes. Returns what the messages cost of the budget. */
  flush(nowMs: number, most: number): number {
    if (this.#isClosed) return 0;
    const { session, stream, send } = this.#options;
    let cost = 0;
    for (const { offset, bytes } of this.#output.take(nowMs, most)) {
      const data = Buffer.from(bytes).toString('base64');
      send({ kind: 'data', session, stream, offset, data });
      cost += Math.max(bytes.length, LEAST_COST_BYTES);
    }
    return cost;
  }

  /** The connection to the server is back. */
  rewind(): void {
    this.#output.rewind();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#headTimer);
    this.#request?.destroy();
    this.#response?.destroy();
  }

  #acknowledge(): void {
    const { session, stream, send } = this.#options;
    const waiting = this.#request?.writableLength ?? 0;
    this.#limit = Math.max(this.#limit, this.#upTo + Math.max(0, WEB_PAGE_WINDOW_BYTES - waiting));
    send({ kind: 'ack', session, stream, upTo: this.#upTo, limit: this.#limit });
  }

  #read(bytes: Uint8Array): void {
    try {
      for (const frame of this.#frames.push(bytes)) this.#takeFrame(frame);
    } catch {
      this.#fail('broken');
      this.#request?.destroy();
    }
  }

  #takeFrame({ kind, content }: WebFrame): void {
    if (kind === 'head') return this.#begin(content);
    if (kind === 'failed') return this.close();
    if (this.#isAnswered) return;
    if (kind === 'body') {
      this.#bodyLeft -= content.length;
      if (this.#bodyLeft < 0) throw new Error('more than announced');
      this.#request?.write(content);
    } else {
      if (this.#bodyLeft > 0) throw new Error('less than announced');
      this.#request?.end();
    }
  }

  #begin(content: Uint8Array): void {
    const head = readHead(webRequestHeadSchema, content);
    if (head === undefined) throw new Error('head is not valid');
    const { port, headWithinMs = HEAD_WITHIN_MS } = this.#options;
    const { method, target, bodyBytes } = head;
    this.#bodyLeft = bodyBytes;
    const request = sendRequest({
      // A literal address: no name is resolved, and no proxy is used.
      ...{ host: '127.0.0.1', port, method, path: target, agent: false, setHost: false },
      headers: requestHeadersOf(head.headers, { port, bodyBytes, method }),
      maxHeaderSize: HEADERS_LIMIT_BYTES,
    });
    this.#request = request;
    this.#headTimer = setTimeout(() => this.#fail('too-slow'), headWithinMs);
    this.#headTimer.unref();
    request.setTimeout(SILENT_MS, () => this.#fail('too-slow'));
    request.on('response', (response) => this.#answer(response));
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      this.#fail('broken');
    });
    request.on('drain', () => this.#acknowledge());
    request.on('error', (error: NodeJS.ErrnoException) =>
      this.#fail(error.code === 'ECONNREFUSED' ? 'no-server' : 'broken'),
    );
  }

  #answer(response: IncomingMessage): void {
    clearTimeout(this.#headTimer);
    this.#response = response;
    const { statusCode: status = 502, rawHeaders } = response;
    this.#output.add(headFrame({ status, headers: responseHeadersOf(rawHeaders) }));
    response.on('data', (bytes: Buffer) => {
      this.#sentBytes += bytes.length;
      if (this.#sentBytes > WEB_PAGE_RESPONSE_BYTES) return this.#fail('too-large');
      for (const frame of bodyFrames(bytes)) this.#add(frame);
      if (this.#output.held > 2 * WEB_PAGE_WINDOW_BYTES) response.pause();
    });
    response.on('end', () => {
      if (response.complete) this.#finish(endFrame());
      else this.#fail('broken');
    });
    response.on('error', () => this.#fail('broken'));
    response.on('close', () => this.#fail('broken'));
    this.#options.onOutput();
  }

  #add(frame: Uint8Array): void {
    if (this.#isAnswered || this.#isClosed) return;
    this.#output.add(frame);
    this.#options.onOutput();
  }

  #fail(failure: WebFailure): void {
    if (this.#isAnswered || this.#isClosed) return;
    this.#finish(failedFrame(failure));
    this.#request?.destroy();
  }

  #finish(frame: Uint8Array): void {
    clearTimeout(this.#headTimer);
    this.#add(frame);
    this.#isAnswered = true;
  }
}

/** A message is not only its bytes. */
const LEAST_COST_BYTES = 4 * 1_024;
