/** One request of a browser, and the response of the device, over the connection of the device. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '@deviceportal/contract/ids';
import { WEB_PAGE_RESPONSE_BYTES } from '@deviceportal/contract/web-pages';
import { StreamSender } from '@deviceportal/device-protocol/terminal-stream';
import {
  bodyFrames,
  endFrame,
  headFrame,
  readFailure,
  readHead,
  WebFrameReader,
  webResponseHeadSchema,
  type WebFailure,
  type WebFrame,
  type WebRequestHead,
} from '@deviceportal/device-protocol/web-frames';
import {
  WEB_PAGE_RETRY_MS,
  WEB_PAGE_WINDOW_BYTES,
  type WebStreamMessage,
} from '@deviceportal/device-protocol/web-page-message';
import type { WebPageLines } from '../web-page-lines.ts';
import { OrderedBytes } from './ordered-bytes.ts';
import { responseHeadOf } from './response-head.ts';

const TICK_MS = 200;
/** A device closes a request about which it hears nothing for a longer time. */
const ACKNOWLEDGE_MS = 5_000;
/** Longer than the device waits for its web server. */
const HEAD_WITHIN_MS = 75_000;
const COUNT_MS = 2_000;
/** Longer than the device waits for its web server to go on. */
const SILENT_MS = 6 * 60_000;

/** `busy`: the device has too many requests; `gone`: the browser or the session has ended. */
export type ExchangeFailure = WebFailure | 'busy' | 'gone';

export interface PageExchangeOptions {
  readonly session: string;
  readonly deviceId: string;
  readonly port: number;
  readonly origin: string;
  readonly head: WebRequestHead;
  readonly lines: WebPageLines;
  /** Bytes of bodies since the last call. */
  readonly onBytes: (bytes: { readonly sent: number; readonly received: number }) => void;
}

export class PageExchange {
  readonly #options: PageExchangeOptions;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #stream = newId();
  readonly #frames = new WebFrameReader();
  readonly #output: StreamSender;
  readonly #listening: Disposable;
  readonly #timer: NodeJS.Timeout;
  /** How far the device may send. */
  #limit = WEB_PAGE_WINDOW_BYTES;
  #total = 0;
  #heardAtMs = performance.now();
  readonly #done = Promise.withResolvers<ExchangeFailure | undefined>();
  readonly #input = new OrderedBytes(WEB_PAGE_WINDOW_BYTES);
  #acknowledgedAtMs = performance.now();
  #countedAtMs = performance.now();
  #sent = 0;
  #received = 0;
  /** Bytes of the response that may still be written. */
  #bodyLeft = Number.POSITIVE_INFINITY;
  #isAnnounced = false;
  #isOver = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: PageExchangeOptions) {
    this.#options = options;
    this.#request = request;
    this.#response = response;
    const { lines, deviceId, session, head } = options;
    this.#output = new StreamSender({
      chunkBytes: lines.chunkBytes,
      limit: WEB_PAGE_WINDOW_BYTES,
      retryMs: WEB_PAGE_RETRY_MS,
    });
    this.#listening = lines.listen({ deviceId, session, stream: this.#stream }, (message) =>
      this.#take(message),
    );
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
    this.#output.add(headFrame(head));
    this.#readBody();
    response.on('drain', () => this.#acknowledge());
    response.once('close', () => this.#end('gone'));
    this.#flush();
  }

  /** Undefined if the response is complete. Nothing was written if it failed before its head. */
  get done(): Promise<ExchangeFailure | undefined> {
    return this.#done.promise;
  }

  abort(): void {
    this.#end('gone');
  }

  #readBody(): void {
    const request = this.#request;
    request.on('data', (bytes: Buffer) => {
      this.#sent += bytes.length;
      for (const frame of bodyFrames(bytes)) this.#output.add(frame);
      if (this.#output.held > WEB_PAGE_WINDOW_BYTES) request.pause();
      this.#flush();
    });
    request.once('end', () => {
      this.#output.add(endFrame());
      this.#flush();
    });
    request.once('error', () => this.#end('gone'));
  }

  #take(message: WebStreamMessage): void {
    if (this.#isOver) return;
    this.#heardAtMs = performance.now();
    if (message.kind === 'reset') return this.#end(this.#response.headersSent ? 'broken' : 'busy');
    if (message.kind === 'ack') {
      this.#output.acknowledge(message.upTo);
      this.#output.allow(message.limit);
      if (this.#output.held < WEB_PAGE_WINDOW_BYTES) this.#request.resume();
      return this.#flush();
    }
    const chunk = { offset: message.offset, bytes: Buffer.from(message.data, 'base64') };
    // A device that does not keep to the limit does not fill the memory.
    const isAllowed = chunk.offset + chunk.bytes.length <= this.#limit;
    for (const bytes of isAllowed ? this.#input.take(chunk) : []) this.#read(bytes);
    this.#acknowledge();
  }

  #read(bytes: Uint8Array): void {
    try {
      for (const frame of this.#frames.push(bytes)) this.#takeFrame(frame);
    } catch {
      this.#end('broken');
    }
  }

  #takeFrame({ kind, content }: WebFrame): void {
    if (this.#isOver) return;
    if (kind === 'head') return this.#answer(content);
    if (kind === 'failed') return this.#end(readFailure(content));
    if (kind === 'body') {
      this.#received += content.length;
      this.#total += content.length;
      if (this.#total > WEB_PAGE_RESPONSE_BYTES) return this.#end('too-large');
      // A response never has another size than its head says, which the next one could begin within.
      const allowed = content.subarray(0, Math.min(content.length, this.#bodyLeft));
      this.#bodyLeft -= allowed.length;
      if (allowed.length > 0) this.#response.write(allowed);
      return;
    }
    if (this.#isAnnounced && this.#bodyLeft > 0) return this.#end('broken');
    this.#acknowledge();
    this.#response.end();
    this.#end(undefined);
  }

  #answer(content: Uint8Array): void {
    const parsed = readHead(webResponseHeadSchema, content);
    if (parsed === undefined) return this.#end('broken');
    const { status, headers, bodyBytes } = responseHeadOf(parsed, this.#options);
    const isEmpty = this.#options.head.method === 'HEAD' || status === 204 || status === 304;
    const announced = bodyBytes === undefined ? [] : ['content-length', String(bodyBytes)];
    this.#response.writeHead(status, [...headers, ...(status === 204 ? [] : announced)]);
    if (isEmpty) this.#bodyLeft = 0;
    else if (bodyBytes !== undefined) {
      this.#bodyLeft = bodyBytes;
      this.#isAnnounced = true;
    }
    this.#response.flushHeaders();
  }

  #acknowledge(): void {
    if (this.#isOver) return;
    const { lines, deviceId, session } = this.#options;
    this.#acknowledgedAtMs = performance.now();
    // What the browser has not read counts.
    const { upTo } = this.#input;
    const room = Math.max(0, WEB_PAGE_WINDOW_BYTES - this.#response.writableLength);
    this.#limit = Math.max(this.#limit, upTo + room);
    const limit = this.#limit;
    const stream = this.#stream;
    lines.send(deviceId, { kind: 'ack', session, stream, upTo, limit });
  }

  #flush(): void {
    if (this.#isOver) return;
    const { lines, deviceId, session } = this.#options;
    const stream = this.#stream;
    for (const { offset, bytes } of this.#output.take(performance.now())) {
      const data = Buffer.from(bytes).toString('base64');
      lines.send(deviceId, { kind: 'data', session, stream, offset, data });
    }
  }

  #tick(): void {
    const nowMs = performance.now();
    this.#flush();
    if (nowMs - this.#acknowledgedAtMs > ACKNOWLEDGE_MS) this.#acknowledge();
    if (nowMs - this.#countedAtMs > COUNT_MS) this.#count();
    const patienceMs = this.#response.headersSent ? SILENT_MS : HEAD_WITHIN_MS;
    if (nowMs - this.#heardAtMs > patienceMs) this.#end('too-slow');
  }

  #count(): void {
    this.#countedAtMs = performance.now();
    if (this.#sent + this.#received > 0)
      this.#options.onBytes({ sent: this.#sent, received: this.#received });
    this.#sent = 0;
    this.#received = 0;
  }

  #end(failure: ExchangeFailure | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#listening[Symbol.dispose]();
    this.#count();
    const { lines, deviceId, session } = this.#options;
    lines.send(deviceId, { kind: 'reset', session, stream: this.#stream });
    this.#done.resolve(failure);
  }
}
