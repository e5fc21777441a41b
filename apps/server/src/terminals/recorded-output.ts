import { TERMINAL_UNREAD_BYTES } from '@deviceportal/contract/terminals';
import type { Database } from '../platform/database/database.ts';
import type { RecentOutput } from './recent-output.ts';
import {
  findTerminal,
  readEvents,
  readOutputFrom,
  type TerminalRow,
} from './data/terminal-queries.ts';

const READ_EVENTS = 16;

export interface RecordedOutputOptions {
  readonly database: Pick<Database, 'orm'>;
  readonly sessionId: string;
  /** Position of the first byte that the browser does not have. */
  readonly from: number;
  readonly sendOutput: (bytes: Uint8Array) => void;
  /** Output that need not be read. Without sizes, which it does not contain. */
  readonly recent?: RecentOutput | undefined;
  readonly sendSize?: (columns: number, rows: number) => void;
  /** Called before the output that was stored until then. */
  readonly onSession?: (session: TerminalRow) => void;
  /** After all output of a session that has ended, once. */
  readonly onEnded: (session: TerminalRow | undefined) => void;
  readonly onError: (error: unknown) => void;
}

/** Sends recorded output of a session to a browser, as fast as it reads. */
export class RecordedOutput {
  readonly #options: RecordedOutputOptions;
  #sent: number;
  #read: number;
  #afterEvent: number | undefined;
  #hasNews = false;
  #asksState = false;
  #isSending = false;
  #isStopped = false;

  constructor(options: RecordedOutputOptions) {
    this.#options = options;
    this.#sent = options.from;
    this.#read = options.from;
  }

  /** Position up to which the browser has processed output. */
  get read(): number {
    return this.#read;
  }

  /** Position up to which output was sent to the browser. */
  get sent(): number {
    return this.#sent;
  }

  /** There can be more output. With `asksState`, the state of the session can have changed, too. */
  refresh(asksState: boolean): void {
    this.#hasNews = true;
    this.#asksState ||= asksState;
    void this.#send();
  }

  /** The browser has processed output up to here. Returns false for a position that is not possible. */
  confirm(upTo: number): boolean {
    if (upTo <= this.#read || upTo > this.#sent) return false;
    this.#read = upTo;
    void this.#send();
    return true;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#hasNews && !this.#isStopped) {
        // Continued when the browser has read more.
        if (this.#sent - this.#read > TERMINAL_UNREAD_BYTES) return;
        this.#hasNews = false;
        // Not assigned: there can be news while this is awaited.
        if (await this.#sendSome()) this.#hasNews = true;
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#isSending = false;
    }
  }

  /** @returns whether there is more */
  async #sendSome(): Promise<boolean> {
    const { database, sessionId, onSession, onEnded } = this.#options;
    if (!this.#asksState && this.#sendRecent()) return this.#hasNews;
    const asksState = this.#asksState;
    this.#asksState = false;
    const found = asksState ? await findTerminal(database.orm, sessionId) : undefined;
    if (this.#isStopped) return false;
    if (found) onSession?.(found);
    this.#afterEvent ??= await readOutputFrom(database.orm, { sessionId, received: this.#sent });
    const after = this.#afterEvent;
    const events = await readEvents(database.orm, { sessionId, after, limit: READ_EVENTS });
    if (this.#isStopped) return false;
    for (const event of events) this.#sendEvent(event);
    if (events.length === READ_EVENTS || this.#hasNews) {
      this.#asksState ||= asksState;
      return true;
    }
    if (asksState && (found === undefined || found.state === 'ended')) {
      this.stop();
      onEnded(found);
    }
    return false;
  }

  #sendRecent(): boolean {
    const { recent, sessionId, sendOutput } = this.#options;
    const chunk = recent?.at(sessionId, this.#sent);
    if (chunk === undefined) return false;
    const bytes = chunk.data.subarray(this.#sent - chunk.position);
    this.#afterEvent = chunk.event;
    sendOutput(bytes);
    this.#sent += bytes.length;
    return true;
  }

  #sendEvent({ id, kind, position, data }: Awaited<ReturnType<typeof readEvents>>[number]): void {
    const { sendOutput, sendSize } = this.#options;
    this.#afterEvent = id;
    if (kind === 'size') {
      const [columns = 80, rows = 24] = data.toString().split('x').map(Number);
      sendSize?.(columns, rows);
      return;
    }
    const bytes = data.subarray(Math.max(0, this.#sent - position));
    if (bytes.length === 0) return;
    sendOutput(bytes);
    this.#sent += bytes.length;
  }
}
