import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { addressBucket } from '@deviceportal/contract/address-bucket';
import {
  TERMINAL_SOCKET_PATH,
  terminalClientSchema,
  terminalCloseCodes,
  type TerminalClientMessage,
} from '@deviceportal/contract/terminals';
import { type WebSocket, WebSocketServer } from 'ws';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import { HeldPlaces } from '../platform/growth-limits/held-places.ts';
import { TokenBucket } from '../platform/token-buckets.ts';
import type { RequestOrigin, Viewer } from '../platform/viewer.ts';
import { AttachedTerminal, type TerminalViewer } from './attached-terminal.ts';
import { AttachedTerminals } from './attached-terminals.ts';
import { attachTerminal, findTerminal } from './data/terminal-queries.ts';
import type { EndDeps } from './end-terminal.ts';
import type { RecentOutput } from './recent-output.ts';
import { isHeldBy, isUsableBy } from './session-rights.ts';
import { TerminalWatchers } from './terminal-watchers.ts';
import type { WatchedTerminal } from './watched-terminal.ts';

export interface TerminalSocketsOptions extends EndDeps {
  readonly server: Server;
  readonly addressOf: (request: IncomingMessage) => string;
  /** @throws if the token is not valid, or its sign-in has ended */
  readonly findViewer: (token: string, origin: RequestOrigin) => Promise<Viewer>;
  readonly logger: GatewayLogger;
  /** Output that this server has stored. */
  readonly recent?: RecentOutput;
  readonly resumeMs?: number;
}

const MAX_MESSAGE_BYTES = 128 * 1_024;
/** Messages of one browser: keys, and confirmations of output. */
const MESSAGE_QUOTA = { burst: 1_000, perSecond: 200 } as const;
const ATTACH_WITHIN_MS = 10_000;
const SOCKETS = 500;
const SOCKETS_PER_ADDRESS = 100;
/** A browser that does not read is disconnected, and can come back. */
const UNREAD_LIMIT_BYTES = 4 * 1_024 * 1_024;

/**
 * WebSockets of terminals. The first message names the session and proves the user by a token: nothing
 * is in the address, and no cookie is sent.
 */
export class TerminalSockets implements AsyncDisposable {
  readonly #options: TerminalSocketsOptions;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  readonly #open = new Set<WebSocket>();
  readonly #addresses = new HeldPlaces(SOCKETS_PER_ADDRESS);
  readonly #attached: AttachedTerminals;
  readonly #watchers: TerminalWatchers;
  readonly #subscription: Disposable;
  readonly #onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
    this.#upgrade(request, socket, head);

  constructor(options: TerminalSocketsOptions) {
    this.#options = options;
    this.#attached = new AttachedTerminals(options);
    this.#watchers = new TerminalWatchers(options);
    options.server.on('upgrade', this.#onUpgrade);
    this.#subscription = options.changes.subscribe((change) => {
      if (!('sessionId' in change)) return;
      this.#attached.onChange(change.sessionId, change);
      this.#watchers.onChange(change.sessionId, change);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    this.#options.server.off('upgrade', this.#onUpgrade);
    this.#watchers[Symbol.dispose]();
    for (const socket of this.#open) socket.terminate();
    await this.#attached[Symbol.asyncDispose]();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if ((request.url ?? '').split('?', 1)[0] !== TERMINAL_SOCKET_PATH) return;
    socket.on('error', () => socket.destroy());
    const address = this.#options.addressOf(request);
    const leave = this.#addresses.take(addressBucket(address));
    if (leave === undefined || this.#open.size >= SOCKETS) {
      leave?.();
      socket.end(
        'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n',
      );
      return;
    }
    socket.once('close', leave);
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#open.add(webSocket);
      webSocket.once('close', () => this.#open.delete(webSocket));
      this.#accept(webSocket, {
        requestId: '',
        address,
        userAgent: request.headers['user-agent'],
      });
    });
  }

  #accept(socket: WebSocket, origin: RequestOrigin): void {
    let terminal: AttachedTerminal | WatchedTerminal | undefined;
    let token = '';
    let isBegun = false;
    const late = setTimeout(() => socket.close(4_408, 'not attached'), ATTACH_WITHIN_MS);
    const begin = async (message: FirstMessage) => {
      token = message.token;
      const findViewer = () => this.#options.findViewer(token, origin);
      const parts = { socket, sessionId: message.sessionId, findViewer };
      terminal =
        message.kind === 'attach'
          ? await this.#attach({ ...parts, received: message.received })
          : await this.#watchers.join({ ...parts, origin, viewer: viewerOf(socket) });
      if (socket.readyState !== socket.OPEN) terminal?.viewerLost();
    };
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(late);
      terminal?.viewerLost();
    });
    const quota = new TokenBucket(MESSAGE_QUOTA);
    socket.on('message', (data, isBinary) => {
      if (!quota.take()) return socket.close(4_429, 'too many messages');
      const message = isBinary ? undefined : parse(String(data));
      if (message === undefined) return socket.close(4_400, 'not understood');
      if (message.kind === 'attach' || message.kind === 'watch') {
        if (isBegun) return socket.close(4_400, 'attached before');
        isBegun = true;
        clearTimeout(late);
        begin(message).catch((error: unknown) => {
          this.#options.logger.info({ err: error }, 'terminal connection rejected');
          socket.close(terminalCloseCodes.notPermitted, 'not permitted');
        });
      } else if (message.kind === 'token') token = message.token;
      else if (message.kind === 'read') terminal?.read(message.upTo);
      // Input before the session is attached is dropped.
      else if (terminal === undefined) return;
      else if (!(terminal instanceof AttachedTerminal)) socket.close(4_400, 'only watching');
      else if (message.kind === 'resize') terminal.resize(message.columns, message.rows);
      else if (!terminal.type(message.text)) socket.close(4_413, 'too much input');
    });
  }

  async #attach({
    socket,
    sessionId,
    received,
    findViewer,
  }: {
    readonly socket: WebSocket;
    readonly sessionId: string;
    readonly received: number;
    readonly findViewer: () => Promise<Viewer>;
  }): Promise<AttachedTerminal | undefined> {
    const { database, logger } = this.#options;
    const known = await findTerminal(database.orm, sessionId);
    const row =
      known !== undefined && (await isUsableBy(database, known, findViewer))
        ? ((await attachTerminal(database.orm, sessionId)) ?? known)
        : undefined;
    if (row === undefined) {
      socket.close(terminalCloseCodes.notPermitted, 'not permitted');
      return undefined;
    }
    return this.#attached.add({
      ...this.#options,
      ...{ row, received, viewer: viewerOf(socket) },
      isPermitted: () => isHeldBy(database, row, findViewer),
      onError: (error) => logger.warn({ err: error, sessionId }, 'terminal session failed'),
    });
  }
}

type FirstMessage = Extract<TerminalClientMessage, { kind: 'attach' | 'watch' }>;

const viewerOf = (socket: WebSocket): TerminalViewer => ({
  send: (answer) => socket.send(JSON.stringify(answer)),
  sendOutput: (bytes) => {
    if (socket.bufferedAmount > UNREAD_LIMIT_BYTES) socket.terminate();
    else socket.send(bytes);
  },
  close: () => socket.close(1_000, 'ended'),
});

function parse(text: string): TerminalClientMessage | undefined {
  try {
    const parsed = terminalClientSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
