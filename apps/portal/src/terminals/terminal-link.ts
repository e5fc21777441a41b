import {
  TERMINAL_INPUT_CHARACTERS,
  TERMINAL_RESUME_MS,
  TERMINAL_SOCKET_PATH,
  terminalCloseCodes,
  type TerminalClientMessage,
  type TerminalServerMessage,
} from '@deviceportal/contract/terminals';

export type TerminalEnding = Extract<TerminalServerMessage, { kind: 'ended' }>;

export type LinkState =
  | { readonly kind: 'connecting' | 'opening' | 'asking' | 'reconnecting' }
  | { readonly kind: 'open' | 'device-silent'; readonly account: string }
  | { readonly kind: 'watching'; readonly username: string; readonly isComplete: boolean }
  | { readonly kind: 'too-many-watchers' | 'not-watchable' }
  | { readonly kind: 'ended'; readonly ending: TerminalEnding };

/** The part of a screen that shows a session of another user. */
export interface WatchedScreen {
  /** What is shown is replaced by the output that follows. */
  readonly reset: () => void;
  readonly resize: (columns: number, rows: number) => void;
}

export interface TerminalLinkOptions {
  readonly sessionId: string;
  readonly idToken: () => Promise<string>;
  /** Calls back when the output was processed. */
  readonly onOutput: (bytes: Uint8Array, processed: () => void) => void;
  readonly onState: (state: LinkState) => void;
  /** Size of the screen, sent with each connection. Without it, the session is only watched. */
  readonly size?: () => { readonly columns: number; readonly rows: number };
  readonly watched?: WatchedScreen;
  /** Usernames of those who watch the session. */
  readonly onWatchers?: (names: readonly string[]) => void;
  readonly connect?: () => WebSocket;
}

const RETRY_MS = 500;
/** A token is renewed three minutes before its end. */
const TOKEN_EVERY_MS = 60_000;
const CONFIRM_BYTES = 32 * 1_024;

const lost: TerminalEnding = {
  kind: 'ended',
  reason: 'browser-lost',
  exitCode: null,
  obstacle: null,
};

/** The WebSocket of a session. Connects again after a lost connection, and continues where it was. */
export class TerminalLink {
  readonly #options: TerminalLinkOptions;
  #socket: WebSocket | undefined;
  #received = 0;
  #processed = 0;
  #confirmed = 0;
  /** Output of an earlier connection is not confirmed to those who watch. */
  #connection = 0;
  #account = '';
  #lostAtMs: number | undefined;
  #tokenTimer: ReturnType<typeof setInterval> | undefined;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(options: TerminalLinkOptions) {
    this.#options = options;
  }

  start(): void {
    this.#options.onState({ kind: 'connecting' });
    void this.#open();
  }

  type(text: string): void {
    for (let at = 0; at < text.length; at += TERMINAL_INPUT_CHARACTERS)
      this.#send({ kind: 'input', text: text.slice(at, at + TERMINAL_INPUT_CHARACTERS) });
  }

  resize(columns: number, rows: number): void {
    this.#send({ kind: 'resize', columns, rows });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#tokenTimer);
    this.#socket?.close();
  }

  async #open(): Promise<void> {
    let token: string;
    try {
      token = await this.#options.idToken();
    } catch {
      return this.#retry();
    }
    if (this.#isClosed) return;
    const socket = (this.#options.connect ?? connectHere)();
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#begin(token);
      clearInterval(this.#tokenTimer);
      this.#tokenTimer = setInterval(() => void this.#renew(), TOKEN_EVERY_MS);
    });
    socket.addEventListener('message', ({ data }) => {
      if (socket !== this.#socket) return;
      if (typeof data === 'string') this.#take(JSON.parse(data) as TerminalServerMessage);
      else this.#show(new Uint8Array(data as ArrayBuffer));
    });
    socket.addEventListener('close', ({ code }) => {
      if (socket !== this.#socket || this.#isClosed) return;
      clearInterval(this.#tokenTimer);
      // The server refuses a session that has ended, or that the user may not use any more.
      if (code === terminalCloseCodes.notPermitted)
        this.#end({ ...lost, reason: 'permission-lost' });
      else if (code === terminalCloseCodes.tooManyWatchers) this.#refused('too-many-watchers');
      else if (code === terminalCloseCodes.notWatchable) this.#refused('not-watchable');
      else this.#retry();
    });
  }

  /** The first message. Who watches receives the output from the beginning. */
  #begin(token: string): void {
    const { sessionId, size } = this.#options;
    if (size === undefined) {
      this.#received = 0;
      this.#processed = 0;
      this.#connection += 1;
      this.#send({ kind: 'watch', sessionId, token });
    } else this.#send({ kind: 'attach', sessionId, token, received: this.#received });
    this.#confirmed = this.#processed;
  }

  #take(message: TerminalServerMessage): void {
    const { onState, onWatchers, watched, size } = this.#options;
    if (message.kind === 'watchers') onWatchers?.(message.names);
    else if (message.kind === 'size') watched?.resize(message.columns, message.rows);
    else if (message.kind === 'watching') {
      this.#lostAtMs = undefined;
      watched?.reset();
      onState(message);
    } else if (message.kind === 'attached') {
      this.#lostAtMs = undefined;
      onWatchers?.([]);
      if (message.state === 'opening') onState({ kind: 'opening' });
    } else if (message.kind === 'asking') onState({ kind: 'asking' });
    else if (message.kind === 'opened') {
      this.#account = message.account;
      // Before, neither the server nor the device has a terminal with a size.
      if (size !== undefined) this.#send({ kind: 'resize', ...size() });
      onState({ kind: 'open', account: message.account });
    } else if (message.kind === 'ended') this.#end(message);
    // Before it is open, the state says what is awaited.
    else if (this.#account !== '')
      onState({ kind: message.isReachable ? 'open' : 'device-silent', account: this.#account });
  }

  #show(bytes: Uint8Array): void {
    this.#received += bytes.length;
    const connection = this.#connection;
    this.#options.onOutput(bytes, () => {
      if (connection !== this.#connection) return;
      this.#processed += bytes.length;
      // The server sends no more before output is confirmed, so the last bytes are confirmed, too.
      const isAll = this.#processed === this.#received;
      if (!isAll && this.#processed - this.#confirmed < CONFIRM_BYTES) return;
      this.#confirmed = this.#processed;
      this.#send({ kind: 'read', upTo: this.#processed });
    });
  }

  #retry(): void {
    if (this.#isClosed) return;
    this.#lostAtMs ??= performance.now();
    if (performance.now() - this.#lostAtMs > TERMINAL_RESUME_MS + 2_000) return this.#end(lost);
    this.#options.onState({ kind: 'reconnecting' });
    this.#retryTimer = setTimeout(() => void this.#open(), RETRY_MS);
  }

  #end(ending: TerminalEnding): void {
    this.close();
    this.#options.onState({ kind: 'ended', ending });
  }

  #refused(kind: 'too-many-watchers' | 'not-watchable'): void {
    this.close();
    this.#options.onState({ kind });
  }

  async #renew(): Promise<void> {
    try {
      this.#send({ kind: 'token', token: await this.#options.idToken() });
    } catch {
      // The session ends when the token does.
    }
  }

  #send(message: TerminalClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function connectHere(): WebSocket {
  const url = new URL(TERMINAL_SOCKET_PATH, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return new WebSocket(url);
}
