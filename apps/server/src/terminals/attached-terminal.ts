import type { TerminalServerMessage } from '@deviceportal/contract/terminals';
import { TERMINAL_RESUME_MS } from '@deviceportal/contract/terminals';
import { TERMINAL_CONSENT_MS } from '@deviceportal/device-protocol/terminal-consent';
import {
  TERMINAL_KEEP_MS,
  TERMINAL_SILENCE_MS,
  TERMINAL_WINDOW_BYTES,
} from '@deviceportal/device-protocol/terminal-message';
import { StreamSender } from '@deviceportal/device-protocol/terminal-stream';
import { inTransaction } from '../platform/database/database.ts';
import type { Change } from '../platform/change-feed.ts';
import type { KeptTerminal } from './data/attached-queries.ts';
import { appendSize, lockTerminal, type TerminalRow } from './data/terminal-queries.ts';
import { listWatchers } from './data/watcher-queries.ts';
import { endSession, type EndDeps } from './end-terminal.ts';
import type { RecentOutput } from './recent-output.ts';
import { RecordedOutput } from './recorded-output.ts';

const TICK_MS = 50;
/** Fits into a notification of the change feed. */
const INPUT_CHUNK_BYTES = 2_048;
const INPUT_RETRY_MS = 500;
/** Input that a device has not taken. More is refused, which ends the connection of the browser. */
const MOST_INPUT_BYTES = 256 * 1_024;
const SIZE_MS = 250;
/** A device that has not opened the session after this time does not answer. */
const ANSWER_MS = 15_000;
/** The same for a device that asks a person, who has a minute. */
const CONSENT_ANSWER_MS = TERMINAL_CONSENT_MS + ANSWER_MS;

/** The browser of an attached session. */
export interface TerminalViewer {
  readonly send: (message: TerminalServerMessage) => void;
  readonly sendOutput: (bytes: Uint8Array) => void;
  readonly close: () => void;
}

export interface AttachedTerminalOptions extends EndDeps {
  readonly row: TerminalRow;
  readonly viewer: TerminalViewer;
  /** Output that the browser has from an earlier connection. */
  readonly received: number;
  /** Whether the user may still use the session, apart from what its device offers. */
  readonly isPermitted: () => Promise<boolean>;
  readonly recent?: RecentOutput;
  readonly onError: (error: unknown) => void;
  readonly onGone: () => void;
  readonly resumeMs?: number;
}

/**
 * A session that is held by a browser of this server: passes input to the device and recorded output
 * to the browser, as fast as the browser reads.
 */
export class AttachedTerminal {
  readonly #options: AttachedTerminalOptions;
  readonly #input = new StreamSender({
    chunkBytes: INPUT_CHUNK_BYTES,
    limit: Number.MAX_SAFE_INTEGER,
    retryMs: INPUT_RETRY_MS,
  });
  readonly #timer: NodeJS.Timeout;
  readonly #startedAtMs = performance.now();
  readonly #output: RecordedOutput;
  #watchers = '[]';
  #limit = 0;
  #sizeNumber: number;
  #wantedSize: { readonly columns: number; readonly rows: number } | undefined;
  #sizedAtMs = Number.NEGATIVE_INFINITY;
  #isOpen: boolean;
  #isAsking = false;
  #isReachable = true;
  #viewerLostAtMs: number | undefined;
  #aliveAtMs = performance.now();
  #keptAtMs = Number.NEGATIVE_INFINITY;
  #isGone = false;

  constructor(options: AttachedTerminalOptions) {
    this.#options = options;
    const { row, received, database, viewer, onError, recent } = options;
    this.#output = new RecordedOutput({
      ...{ database, onError, recent, sessionId: row.id },
      from: Math.min(received, row.recordedBytes),
      sendOutput: viewer.sendOutput,
      onSession: (session) => this.#noteState(session),
      onEnded: (session) => this.#ended(session),
    });
    this.#isOpen = row.state === 'open';
    // Higher than those of the attachments before.
    this.#sizeNumber = row.attachment * 1_000_000;
    viewer.send({ kind: 'attached', state: row.state });
    if (row.account !== null) viewer.send({ kind: 'opened', account: row.account });
    else this.#noteState(row);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#timer.unref();
    this.#tick();
    this.#output.refresh(true);
    this.#showWatchers();
  }

  get row(): Pick<TerminalRow, 'id' | 'attachment'> {
    return this.#options.row;
  }

  /** @returns false if there is too much input */
  type(text: string): boolean {
    const bytes = Buffer.from(text);
    if (this.#input.held + bytes.length > MOST_INPUT_BYTES) return false;
    this.#input.add(bytes);
    this.#sendInput();
    return true;
  }

  /** The first change applies immediately; a browser that keeps changing its size writes only a few events. */
  resize(columns: number, rows: number): void {
    this.#wantedSize = { columns, rows };
    this.#applySize(performance.now());
  }

  #applySize(nowMs: number): void {
    const { row, terminalLines, database, onError } = this.#options;
    if (this.#wantedSize === undefined || nowMs - this.#sizedAtMs < SIZE_MS) return;
    const { columns, rows } = this.#wantedSize;
    this.#wantedSize = undefined;
    this.#sizedAtMs = nowMs;
    this.#sizeNumber += 1;
    const number = this.#sizeNumber;
    terminalLines.send(row.deviceId, { kind: 'resize', session: row.id, number, columns, rows });
    inTransaction(database, async (tx) => {
      // Events are read in the order of their IDs, so they must be committed in that order.
      await lockTerminal(tx, row.id);
      await appendSize(tx, { id: row.id, columns, rows });
    }).catch(onError);
  }

  /** The browser has processed output up to here. */
  read(upTo: number): void {
    if (!this.#output.confirm(upTo)) return;
    if (this.#limit - upTo < TERMINAL_WINDOW_BYTES * 0.75) this.#keep();
  }

  /** The connection of the browser is lost; it can come back. */
  viewerLost(): void {
    this.#viewerLostAtMs ??= performance.now();
  }

  onChange(change: Change): void {
    const { row } = this.#options;
    if (change.kind === 'terminal-output' || change.kind === 'terminal-ended') {
      this.#output.refresh(!this.#isOpen || change.kind === 'terminal-ended');
    } else if (change.kind === 'terminal-watchers') {
      this.#showWatchers();
    } else if (change.kind === 'terminal-alive' && change.deviceId === row.deviceId) {
      this.#aliveAtMs = performance.now();
      this.#tell(true);
      // A browser of another server has come back.
      if (change.attachment > row.attachment) this.release();
      else if (change.attachment === row.attachment) this.#input.acknowledge(change.inputUpTo);
    }
  }

  /** What has changed without a notification, which can be lost. */
  noteKept(kept: KeptTerminal | undefined): void {
    if (this.#isGone) return;
    if (kept === undefined || kept.state === 'ended') return this.#output.refresh(true);
    if (kept.attachment !== this.#options.row.attachment) return this.release();
    if (!kept.isOffered) return this.#end('permission-lost');
    if (!this.#isOpen) this.#output.refresh(true);
    else if (kept.recordedBytes > this.#output.sent) this.#output.refresh(false);
    this.#noteWatchers(kept.watchers);
  }

  /** Ends the session if the user may not use it any more. */
  async checkRights(): Promise<void> {
    const { isPermitted, onError } = this.#options;
    try {
      if (!this.#isGone && !(await isPermitted())) this.#end('permission-lost');
    } catch (error) {
      onError(error);
    }
  }

  /** Without ending the session: another server or connection holds it. */
  release(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearInterval(this.#timer);
    this.#output.stop();
    this.#options.viewer.close();
    this.#options.onGone();
  }

  #tick(): void {
    const nowMs = performance.now();
    if (this.#isGone) return;
    this.#sendInput();
    this.#applySize(nowMs);
    if (nowMs - this.#keptAtMs >= TERMINAL_KEEP_MS) this.#keep();
    const { resumeMs = TERMINAL_RESUME_MS } = this.#options;
    if (this.#viewerLostAtMs !== undefined && nowMs - this.#viewerLostAtMs > resumeMs)
      this.#end('browser-lost');
    else if (nowMs - this.#aliveAtMs > TERMINAL_SILENCE_MS)
      this.#end(this.#isOpen ? 'device-lost' : 'not-answered');
    else if (!this.#isOpen && nowMs - this.#startedAtMs > this.#answerMs) this.#end('not-answered');
    else if (nowMs - this.#aliveAtMs > TERMINAL_KEEP_MS * 2) this.#tell(false);
  }

  #tell(isReachable: boolean): void {
    if (this.#isReachable === isReachable) return;
    this.#isReachable = isReachable;
    this.#options.viewer.send({ kind: 'device', isReachable });
  }

  #end(reason: Parameters<typeof endSession>[1]['reason']): void {
    const { row, onError } = this.#options;
    if (this.#isEnding) return;
    this.#isEnding = true;
    endSession(this.#options, { id: row.id, reason, attachment: row.attachment })
      .then(() => this.#output.refresh(true))
      .catch((error: unknown) => {
        this.#isEnding = false;
        onError(error);
      });
  }
  #isEnding = false;

  #sendInput(): void {
    const { row, terminalLines } = this.#options;
    if (!this.#isOpen) return;
    const { id: session, attachment, deviceId } = row;
    for (const { offset, bytes } of this.#input.take(performance.now())) {
      const data = Buffer.from(bytes).toString('base64');
      terminalLines.send(deviceId, { kind: 'input', session, attachment, offset, data });
    }
  }

  #keep(): void {
    const { row, terminalLines } = this.#options;
    const { id: session, attachment, deviceId } = row;
    this.#keptAtMs = performance.now();
    this.#limit = this.#output.read + TERMINAL_WINDOW_BYTES;
    terminalLines.send(deviceId, { kind: 'keep', session, attachment, limit: this.#limit });
  }

  get #answerMs(): number {
    return this.#isAsking ? CONSENT_ANSWER_MS : ANSWER_MS;
  }

  #noteState({ account, consentAskedAt }: TerminalRow): void {
    if (this.#isOpen) return;
    if (consentAskedAt !== null && account === null && !this.#isAsking) {
      this.#isAsking = true;
      this.#options.viewer.send({ kind: 'asking' });
    }
    if (account === null) return;
    this.#isOpen = true;
    this.#aliveAtMs = performance.now();
    this.#options.viewer.send({ kind: 'opened', account });
    this.#sendInput();
  }

  #ended(session: TerminalRow | undefined): void {
    const { endReason, exitCode, obstacle } = session ?? {};
    this.#options.viewer.send({
      kind: 'ended',
      reason: endReason ?? 'closed',
      exitCode: exitCode ?? null,
      obstacle: obstacle ?? null,
    });
    this.release();
  }

  /** Names are not masked: a user may know who watches. */
  #showWatchers(): void {
    const { row, database, onError } = this.#options;
    listWatchers(database.orm, row.id)
      .then((names) => this.#noteWatchers(names))
      .catch(onError);
  }

  #noteWatchers(names: readonly string[]): void {
    const text = JSON.stringify(names);
    if (text === this.#watchers || this.#isGone) return;
    this.#watchers = text;
    this.#options.viewer.send({ kind: 'watchers', names: [...names] });
  }
}
