import { TERMINAL_SNAPSHOT_BYTES } from '@deviceportal/contract/terminals';
import type { Change } from '../platform/change-feed.ts';
import type { TerminalViewer } from './attached-terminal.ts';
import { findSizeAt, type TerminalRow } from './data/terminal-queries.ts';
import { deleteWatcher, touchWatcher } from './data/watcher-queries.ts';
import type { EndDeps } from './end-terminal.ts';
import { RecordedOutput } from './recorded-output.ts';

const CHECK_MS = 2_000;
const NEW_LINE = 10;
/** Less than what is sent without a confirmation. */
const MOST_SKIPPED_BYTES = 64 * 1_024;

export interface WatchedTerminalOptions extends Pick<EndDeps, 'database' | 'changes'> {
  readonly session: TerminalRow;
  readonly watcherId: string;
  /** The user of the session, as the watcher may see it. */
  readonly username: string;
  readonly viewer: TerminalViewer;
  /** Whether the watcher may still see the session. */
  readonly isPermitted: () => Promise<boolean>;
  readonly onNotPermitted: () => void;
  readonly onError: (error: unknown) => void;
  readonly onGone: () => void;
}

/**
 * A session that a browser of this server watches: the latest recorded output, and then what is
 * recorded. Nothing is passed to the device.
 */
export class WatchedTerminal {
  readonly #options: WatchedTerminalOptions;
  readonly #output: RecordedOutput;
  readonly #from: number;
  readonly #timer: NodeJS.Timeout;
  /** Bytes before the first whole line. */
  #skipped = 0;
  #isSkipping: boolean;
  #isStarted = false;
  #isBusy = false;
  #isGone = false;

  constructor(options: WatchedTerminalOptions) {
    this.#options = options;
    const { database, session, viewer, onError, username } = options;
    this.#from = Math.max(0, session.recordedBytes - TERMINAL_SNAPSHOT_BYTES);
    this.#isSkipping = this.#from > 0;
    this.#output = new RecordedOutput({
      ...{ database, onError, sessionId: session.id, from: this.#from },
      sendOutput: (bytes) => this.#sendOutput(bytes),
      sendSize: (columns, rows) => viewer.send({ kind: 'size', columns, rows }),
      onEnded: (ended) => this.#ended(ended),
    });
    viewer.send({ kind: 'watching', username, isComplete: this.#from === 0 });
    this.#timer = setInterval(() => void this.#check().catch(onError), CHECK_MS);
    this.#timer.unref();
    this.#start().catch(onError);
  }

  onChange(change: Change): void {
    if (change.kind === 'terminal-output') this.#refresh(false);
    else if (change.kind === 'terminal-ended') this.#refresh(true);
  }

  /** The browser has processed this number of bytes. */
  read(bytes: number): void {
    this.#output.confirm(this.#from + this.#skipped + bytes);
  }

  viewerLost(): void {
    this.release();
  }

  release(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearInterval(this.#timer);
    this.#output.stop();
    const { database, changes, session, watcherId, viewer, onError, onGone } = this.#options;
    viewer.close();
    onGone();
    deleteWatcher(database.orm, watcherId)
      .then(() => changes.publish([{ kind: 'terminal-watchers', sessionId: session.id }]))
      .catch(onError);
  }

  async #start(): Promise<void> {
    const { database, session, viewer } = this.#options;
    const size = await findSizeAt(database.orm, { session, position: this.#from });
    if (this.#isGone) return;
    viewer.send({ kind: 'size', ...size });
    this.#isStarted = true;
    this.#refresh(true);
  }

  #refresh(asksState: boolean): void {
    if (this.#isStarted) this.#output.refresh(asksState);
  }

  async #check(): Promise<void> {
    if (this.#isBusy || this.#isGone) return;
    this.#isBusy = true;
    const { database, watcherId, isPermitted, onNotPermitted } = this.#options;
    try {
      // A notification of another server can be lost.
      this.#refresh(true);
      const isKept = await touchWatcher(database.orm, watcherId);
      if (!(await isPermitted())) {
        onNotPermitted();
        this.release();
      } else if (!isKept) this.release();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Output that begins in the middle of a line can begin in the middle of an escape sequence. */
  #sendOutput(bytes: Uint8Array): void {
    let shown = bytes;
    if (this.#isSkipping) {
      const end = bytes.indexOf(NEW_LINE);
      shown = bytes.subarray(end < 0 ? bytes.length : end + 1);
      this.#skipped += bytes.length - shown.length;
      this.#isSkipping = end < 0 && this.#skipped < MOST_SKIPPED_BYTES;
    }
    if (shown.length > 0) this.#options.viewer.sendOutput(shown);
  }

  #ended(ended: TerminalRow | undefined): void {
    const { endReason, exitCode, obstacle } = ended ?? {};
    this.#options.viewer.send({
      kind: 'ended',
      reason: endReason ?? 'closed',
      exitCode: exitCode ?? null,
      obstacle: obstacle ?? null,
    });
    this.release();
  }
}
