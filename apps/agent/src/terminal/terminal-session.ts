/**
 * One terminal session on the device: passes bytes between the shell and the server, and ends the
 * shell when it is no longer wanted. Knows no sockets and no clock.
 */

import {
  TERMINAL_CHUNK_BYTES,
  TERMINAL_SILENCE_MS,
  TERMINAL_WINDOW_BYTES,
  type TerminalDown,
  type TerminalExitReason,
  type TerminalUp,
} from '@deviceportal/device-protocol/terminal-message';
import { newBytes, StreamSender } from '@deviceportal/device-protocol/terminal-stream';
import type { Pty } from './pty.ts';

/** Output beyond this stops the shell until the server has taken some. */
const MOST_HELD_BYTES = 2 * TERMINAL_WINDOW_BYTES;
/** Half of what the broker reads from a device, so that results are never delayed by output. */
const OUTPUT_BYTES_PER_SECOND = 512 * 1_024;
const OUTPUT_BURST_BYTES = 512 * 1_024;
const RETRY_MS = 1_000;
const EXIT_REPEAT_MS = 500;
/** How long the end of a session is repeated without an answer. */
const EXIT_LIMIT_MS = 30_000;

export interface TerminalLimits {
  readonly idleMs: number;
  readonly durationMs: number;
}

export interface TerminalSessionOptions {
  readonly session: string;
  readonly pty: Pty;
  readonly send: (message: TerminalUp) => void;
  readonly onEnded: () => void;
  readonly limits: TerminalLimits;
  readonly nowMs: number;
}

export class TerminalSession {
  readonly #options: TerminalSessionOptions;
  readonly #output: StreamSender;
  readonly #startedAtMs: number;
  #keptAtMs: number;
  #usedAtMs: number;
  #attachment = 0;
  #inputUpTo = 0;
  #sizeNumber = -1;
  #budget = OUTPUT_BURST_BYTES;
  #budgetAtMs: number;
  #isPaused = false;
  #wanted: TerminalExitReason | undefined;
  #exit: { readonly exitCode: number | null; readonly atMs: number } | undefined;
  #exitSentAtMs = Number.NEGATIVE_INFINITY;
  #isEnded = false;

  constructor(options: TerminalSessionOptions) {
    this.#options = options;
    const { nowMs } = options;
    this.#startedAtMs = nowMs;
    this.#keptAtMs = nowMs;
    this.#usedAtMs = nowMs;
    this.#budgetAtMs = nowMs;
    this.#output = new StreamSender({
      chunkBytes: TERMINAL_CHUNK_BYTES,
      limit: TERMINAL_WINDOW_BYTES,
      retryMs: RETRY_MS,
    });
  }

  /** Text of the agent itself, such as the notice at the beginning. */
  print(text: string): void {
    this.#output.add(Buffer.from(text));
  }

  /** Output of the shell. */
  addOutput(bytes: Uint8Array, nowMs: number): void {
    if (this.#isEnded) return;
    this.#output.add(bytes);
    this.#flush(nowMs);
    this.#holdBack();
  }

  /** The shell has ended. */
  shellExited(exitCode: number | null, nowMs: number): void {
    this.#exit ??= { exitCode, atMs: nowMs };
    this.tick(nowMs);
  }

  take(message: TerminalDown, nowMs: number): void {
    if (this.#isEnded) return;
    switch (message.kind) {
      case 'input':
        this.#takeInput(message, nowMs);
        return;
      case 'resize':
        if (message.number <= this.#sizeNumber || this.#exit) return;
        this.#sizeNumber = message.number;
        this.#options.pty.resize(message.columns, message.rows);
        return;
      case 'keep':
        this.#keptAtMs = nowMs;
        this.#attach(message.attachment);
        this.#output.allow(message.limit);
        this.#alive();
        this.#flush(nowMs);
        return;
      case 'ack':
        this.#output.acknowledge(message.upTo);
        this.#flush(nowMs);
        this.#holdBack();
        return;
      case 'close':
        this.end('closed');
        return;
      case 'done':
        this.#finish();
        return;
      default:
    }
  }

  /** Call several times a second. */
  tick(nowMs: number): void {
    if (this.#isEnded) return;
    if (!this.#exit && !this.#wanted) {
      const { idleMs, durationMs } = this.#options.limits;
      if (nowMs - this.#keptAtMs > TERMINAL_SILENCE_MS) this.end('connection-lost');
      else if (nowMs - this.#usedAtMs > idleMs) this.end('idle');
      else if (nowMs - this.#startedAtMs > durationMs) this.end('too-long');
    }
    this.#flush(nowMs);
    this.#sendExit(nowMs);
  }

  /** The connection to the server is back. */
  reconnected(nowMs: number): void {
    this.#output.rewind();
    this.#exitSentAtMs = Number.NEGATIVE_INFINITY;
    this.tick(nowMs);
  }

  /** Ends the shell. The session ends when the server has taken its output. */
  end(reason: TerminalExitReason): void {
    if (this.#wanted || this.#isEnded) return;
    this.#wanted = reason;
    if (!this.#exit) this.#options.pty.hangUp();
  }

  #takeInput(
    { attachment, offset, data }: Extract<TerminalDown, { kind: 'input' }>,
    nowMs: number,
  ): void {
    this.#attach(attachment);
    if (attachment !== this.#attachment) return;
    const bytes = newBytes(this.#inputUpTo, { offset, bytes: Buffer.from(data, 'base64') });
    if (bytes !== null) {
      this.#inputUpTo += bytes.length;
      this.#usedAtMs = nowMs;
      if (!this.#exit) this.#options.pty.write(bytes);
    }
    this.#alive();
  }

  /** Input of a new browser begins at 0. */
  #attach(attachment: number): void {
    if (attachment <= this.#attachment) return;
    this.#attachment = attachment;
    this.#inputUpTo = 0;
  }

  #alive(): void {
    const { send, session } = this.#options;
    const [attachment, inputUpTo] = [this.#attachment, this.#inputUpTo];
    send({ kind: 'alive', session, attachment, inputUpTo });
  }

  #flush(nowMs: number): void {
    const earned = ((nowMs - this.#budgetAtMs) * OUTPUT_BYTES_PER_SECOND) / 1_000;
    this.#budget = Math.min(OUTPUT_BURST_BYTES, this.#budget + Math.max(0, earned));
    this.#budgetAtMs = nowMs;
    const { send, session } = this.#options;
    for (const { offset, bytes } of this.#output.take(nowMs, Math.floor(this.#budget))) {
      this.#budget -= bytes.length;
      send({ kind: 'output', session, offset, data: Buffer.from(bytes).toString('base64') });
    }
  }

  #holdBack(): void {
    const { pty } = this.#options;
    if (this.#exit) return;
    if (!this.#isPaused && this.#output.held > MOST_HELD_BYTES) {
      this.#isPaused = true;
      pty.pause();
    } else if (this.#isPaused && this.#output.held < MOST_HELD_BYTES / 2) {
      this.#isPaused = false;
      pty.resume();
    }
  }

  #sendExit(nowMs: number): void {
    if (!this.#exit) return;
    if (nowMs - this.#exit.atMs > EXIT_LIMIT_MS) return this.#finish();
    if (!this.#output.isSettled || nowMs - this.#exitSentAtMs < EXIT_REPEAT_MS) return;
    this.#exitSentAtMs = nowMs;
    this.#options.send({
      kind: 'exit',
      session: this.#options.session,
      offset: this.#output.end,
      exitCode: this.#exit.exitCode,
      reason: this.#wanted ?? 'exited',
    });
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (!this.#exit) this.#options.pty.hangUp();
    this.#options.onEnded();
  }
}
