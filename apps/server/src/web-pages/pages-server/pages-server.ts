import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import type { GatewayLogger } from '../../gateway/gateway-logger.ts';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Database } from '../../platform/database/database.ts';
import { endSlowClients } from '../../platform/http/end-slow-clients.ts';
import { limitConnections } from '../../platform/http/limit-connections.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import { addBytes, admitRequest, hasEnded, useLink } from '../data/web-page-queries.ts';
import { digestOfSecret } from '../digest-of-secret.ts';
import type { WebPageLines } from '../web-page-lines.ts';
import { ENTER_PATH, enterPage, enterPolicy, OWN_PATH } from './enter-page.ts';
import { messagePage, type PageMessage } from './message-page.ts';
import { expireCookies, pageCookie, secretIn } from './page-cookie.ts';
import { PageExchange, type ExchangeFailure } from './page-exchange.ts';
import { faultOfRequest, requestHeadOf } from './request-head.ts';
import { pageHeaders } from './response-head.ts';
import { SessionSlots } from './session-slots.ts';
import type { PageOrigins } from './page-origins.ts';

const MOST_HEADER_BYTES = 32 * 1_024;
const HEADERS_WITHIN_MS = 10_000;
const MOST_SECRET_CHARACTERS = 64;
const MOST_PATH_CHARACTERS = 1_000;
const MOST_ENDED = 1_000;
const MOST_KNOWN = 1_000;
const CONNECTIONS = { connections: 2_000, connectionsPerAddress: 200 } as const;
const SLOW = { slowGraceMs: 20_000, slowestBytesPerSecond: 4 * 1_024, sweepMs: 1_000 } as const;
/** Requests that no open session admits, per address: each costs statements. */
const UNADMITTED_QUOTA = { burst: 50, perSecond: 5 } as const;

export interface PagesServerOptions {
  readonly database: Pick<Database, 'orm'>;
  readonly changes: ChangeFeed;
  readonly lines: WebPageLines;
  readonly origins: () => PageOrigins;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly trustedProxies: readonly string[];
  readonly addressOf: (request: IncomingMessage) => string;
  readonly logger: GatewayLogger;
}

const statusOf: Readonly<Record<ExchangeFailure, number>> = {
  ...{ 'no-server': 502, 'too-slow': 504, 'too-large': 502, broken: 502, busy: 503, gone: 410 },
};
const messageOf: Readonly<Record<ExchangeFailure, PageMessage>> = {
  ...{ 'no-server': 'no-server', 'too-slow': 'too-slow', 'too-large': 'broken' },
  ...{ broken: 'broken', busy: 'busy', gone: 'ended' },
};

/** Serves the pages of devices, each session under a host name of its own. Knows nothing of the portal's API. */
export class PagesServer implements AsyncDisposable {
  readonly server: Server;
  readonly #options: PagesServerOptions;
  readonly #slots = new SessionSlots();
  readonly #open = new Map<string, Set<PageExchange>>();
  readonly #unadmitted = new TokenBuckets(UNADMITTED_QUOTA);
  readonly #subscription: Disposable;
  /** Sessions that ended while a request of them was being admitted. */
  readonly #ended = new Set<string>();
  /** Digests of cookies that have admitted a request here. Others cost a token of their address. */
  readonly #known = new Set<string>();

  constructor(options: PagesServerOptions) {
    this.#options = options;
    const { tls, changes, logger } = options;
    const limits = { maxHeaderSize: MOST_HEADER_BYTES, headersTimeout: HEADERS_WITHIN_MS };
    const settings = { ...limits, connectionsCheckingInterval: 1_000, requestTimeout: 0 };
    this.server = tls ? createTlsServer({ ...settings, ...tls }) : createServer(settings);
    limitConnections(this.server, CONNECTIONS, options.trustedProxies);
    endSlowClients(this.server, SLOW);
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((error: unknown) => {
        logger.warn({ err: error }, 'request of a web page failed');
        if (response.headersSent) response.destroy();
        else this.#say(request, response, { status: 500, message: 'broken' });
      });
    });
    this.server.on('upgrade', (_request, socket) => {
      const body = messagePage('no-web-socket', undefined);
      socket.on('error', () => socket.destroy());
      socket.end(
        `HTTP/1.1 501 Not Implemented\r\ncontent-type: text/html; charset=utf-8\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    });
    this.#subscription = changes.subscribe((change) => {
      if (change.kind !== 'web-page-ended') return;
      if (this.#ended.size >= MOST_ENDED) this.#ended.clear();
      this.#ended.add(change.sessionId);
      this.#slots.end(change.sessionId);
      for (const exchange of this.#open.get(change.sessionId) ?? []) exchange.abort();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    for (const exchanges of this.#open.values()) for (const exchange of exchanges) exchange.abort();
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
    this.server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origins = this.#options.origins();
    const label = origins.labelIn(request.headers.host);
    if (label === undefined)
      return this.#say(request, response, { status: 404, message: 'no-link' });
    const origin = origins.of(label);
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (path === ENTER_PATH && request.method === 'GET') return this.#showEnter(request, response);
    const fault = faultOfRequest(request, origin);
    if (fault !== undefined) return this.#say(request, response, fault);
    if (path === ENTER_PATH && request.method === 'POST')
      return this.#enter(request, response, label);
    if (path.startsWith(OWN_PATH))
      return this.#say(request, response, { status: 404, message: 'not-forwarded' });
    return this.#forward(request, response, { label, origin, path });
  }

  #showEnter(request: IncomingMessage, response: ServerResponse): void {
    const nonce = randomBytes(16).toString('base64');
    const page = enterPage(nonce, request.headers['accept-language']);
    response.setHeader('content-security-policy', enterPolicy(nonce));
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    response.setHeader('referrer-policy', 'no-referrer');
    response.end(page);
  }

  async #enter(request: IncomingMessage, response: ServerResponse, label: string): Promise<void> {
    const { scheme } = this.#options.origins();
    if (!this.#isWithin(request)) return this.#say(request, response, busy);
    const secret = await readText(request, MOST_SECRET_CHARACTERS);
    const cookie = randomBytes(32).toString('base64url');
    const use = { label, linkSha256: digestOfSecret(secret), cookieSha256: digestOfSecret(cookie) };
    if (!(await useLink(this.#options.database.orm, use)))
      return this.#say(request, response, { status: 403, message: 'link-used' });
    response.setHeader('set-cookie', pageCookie(scheme, cookie));
    response.setHeader('cache-control', 'no-store');
    response.writeHead(204).end();
  }

  async #forward(
    request: IncomingMessage,
    response: ServerResponse,
    { label, origin, path }: { label: string; origin: string; path: string },
  ): Promise<void> {
    const { database, lines, origins, logger } = this.#options;
    const secret = secretIn(origins().scheme, request.headers.cookie);
    const cookie = secret === undefined ? '' : digestOfSecret(secret);
    if (!this.#known.has(cookie) && !this.#isWithin(request))
      return this.#say(request, response, busy);
    const admitted =
      cookie === ''
        ? undefined
        : await admitRequest(database.orm, {
            ...{ label, cookie, method: (request.method ?? '').slice(0, 10) },
            path: path.slice(0, MOST_PATH_CHARACTERS),
          });
    if (admitted === undefined) {
      this.#known.delete(cookie);
      return this.#notAdmitted(request, response, label);
    }
    this.#know(cookie);
    const { id: session, deviceId, port } = admitted;
    const head = requestHeadOf(request, { origin, port });
    if (head === undefined)
      return this.#say(request, response, { status: 400, message: 'not-forwarded' });
    const release = await this.#slots.take(session);
    if (release === undefined) return this.#say(request, response, busy);
    using _slot = { [Symbol.dispose]: release };
    if (this.#ended.has(session)) return this.#notAdmitted(request, response, label);
    // The browser did not wait.
    if (response.destroyed) return;
    const exchange = new PageExchange(request, response, {
      ...{ session, deviceId, port, origin, head, lines },
      onBytes: (bytes) =>
        void addBytes(database.orm, { id: session, ...bytes }).catch((error: unknown) =>
          logger.warn({ err: error }, 'bytes of a web page not counted'),
        ),
    });
    const failure = await this.#until(session, exchange);
    if (failure === undefined) return;
    if (response.headersSent) response.destroy();
    else this.#say(request, response, { status: statusOf[failure], message: messageOf[failure] });
  }

  async #until(session: string, exchange: PageExchange): Promise<ExchangeFailure | undefined> {
    const open = this.#open.get(session) ?? new Set();
    this.#open.set(session, open.add(exchange));
    try {
      return await exchange.done;
    } finally {
      open.delete(exchange);
      if (open.size === 0) this.#open.delete(session);
    }
  }

  async #notAdmitted(
    request: IncomingMessage,
    response: ServerResponse,
    label: string,
  ): Promise<void> {
    if (await hasEnded(this.#options.database.orm, label)) {
      // What the page has stored in the browser goes with the session.
      response.setHeader('clear-site-data', '"cache", "storage"');
      response.setHeader('set-cookie', expireCookies(request.headers.cookie));
      return this.#say(request, response, { status: 410, message: 'ended' });
    }
    return this.#say(request, response, { status: 403, message: 'no-link' });
  }

  #know(cookie: string): void {
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.add(cookie);
  }

  #isWithin(request: IncomingMessage): boolean {
    return this.#unadmitted.of(addressBucket(this.#options.addressOf(request))).take();
  }

  #say(request: IncomingMessage, response: ServerResponse, { status, message }: Said): void {
    if (response.destroyed || response.headersSent) return;
    // The rest of a body is not read.
    if (!request.complete) response.setHeader('connection', 'close');
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
    response.setHeader(
      'content-security-policy',
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    response.setHeader('cache-control', 'no-store');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.writeHead(status).end(messagePage(message, request.headers['accept-language']));
  }
}

interface Said {
  readonly status: number;
  readonly message: PageMessage;
}

const busy: Said = { status: 503, message: 'busy' };

/** At most so many characters; a longer text is none. */
async function readText(request: IncomingMessage, most: number): Promise<string> {
  let text = '';
  for await (const bytes of request as AsyncIterable<Buffer>) {
    text += bytes.toString('latin1');
    if (text.length > most) return '';
  }
  return text;
}
