/**
 * Writes the output of one command to the journal: numbered, split into entries, truncated at the
 * limit.
 */

import { INVOCATION_OUTPUT_LIMIT_BYTES } from '@deviceportal/contract/constants';
import { OUTPUT_CUT_MARK } from '@deviceportal/device-protocol/journal';
import type { ActiveCommand, OutputMark, OutputStream } from '../store/agent-state.ts';
import type { Journal } from './journal.ts';

/** The first output is sent without batching delay, because a user may be watching. */
const FIRST_OUTPUT_URGENCY_MS = 2;
/** A JSON text can take six bytes per character, and an entry must fit into one message. */
const MAX_TEXT = 16_000;

export class InvocationOutput {
  readonly #journal: Journal;
  readonly #command: ActiveCommand;
  #cut: boolean;
  #isFirst = true;

  constructor(journal: Journal, command: ActiveCommand) {
    this.#journal = journal;
    this.#command = command;
    this.#cut = this.#length() >= INVOCATION_OUTPUT_LIMIT_BYTES;
  }

  get wasCut(): boolean {
    return this.#cut;
  }

  /** `consumedBytes`: position in the stream's file after this text, if there is a file. */
  write(stream: OutputStream, text: string, consumedBytes?: number): void {
    // PostgreSQL cannot store NUL in text.
    for (const piece of pieces(text.replaceAll('\0', '\uFFFD'))) {
      if (this.#cut) return;
      const left = INVOCATION_OUTPUT_LIMIT_BYTES - this.#length();
      this.#cut = piece.length >= left;
      const kept = this.#cut ? piece.slice(0, left) + OUTPUT_CUT_MARK : piece;
      this.#append(stream, kept, consumedBytes);
    }
  }

  #append(stream: OutputStream, text: string, consumedBytes: number | undefined): void {
    const { invocationId } = this.#command;
    const offset = this.#command.offsets[stream];
    const mark: OutputMark | undefined =
      consumedBytes === undefined ? undefined : { invocationId, stream, consumedBytes };
    const urgency = this.#isFirst ? { urgencyMs: FIRST_OUTPUT_URGENCY_MS } : {};
    this.#isFirst = false;
    this.#journal.append(
      { kind: 'invocation-output', invocationId, stream, offset, text },
      mark ? { mark, ...urgency } : urgency,
    );
  }

  #length(): number {
    return this.#command.offsets.stdout + this.#command.offsets.stderr;
  }
}

/** Splits between characters, never inside a surrogate pair. */
function* pieces(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    let to = Math.min(from + MAX_TEXT, text.length);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to -= 1;
    yield text.slice(from, to);
    from = to;
  }
}
