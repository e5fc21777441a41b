import { TERMINAL_RECORDING_LIMIT_BYTES } from '@deviceportal/contract/terminals';
import type { TerminalUp } from '@deviceportal/device-protocol/terminal-message';
import { newBytes } from '@deviceportal/device-protocol/terminal-stream';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { appendOutput, appendOutputs, lockTerminal, outputKey } from './data/terminal-queries.ts';
import type { RecentOutput } from './recent-output.ts';

export type Output = Extract<TerminalUp, { kind: 'output' }>;

/** Output of a session that waits to be stored. A device sends no more than its window. */
const MOST_WAITING = 64;
const MOST_KNOWN = 2_000;

export interface StoredOutput {
  readonly upTo: number;
  readonly isFull: boolean;
}

interface Waiting {
  readonly deviceId: string;
  readonly session: string;
  readonly messages: Output[];
  readonly answer: PromiseWithResolvers<StoredOutput | null>;
}

/**
 * Stores output of all sessions in the order of each. What arrives while something is stored is stored
 * together in the next statement.
 */
export class OutputStore {
  readonly #database: Database;
  readonly #recent: RecentOutput | undefined;
  #waiting = new Map<string, Waiting>();
  /** Length of recordings, as far as this server has stored them. */
  readonly #lengths = new Map<string, number>();
  #isStoring = false;

  constructor(database: Database, recent: RecentOutput | undefined) {
    this.#database = database;
    this.#recent = recent;
  }

  /**
   * Null for a session that is not open, or is another device's. Undefined if another call answers for
   * this output, too.
   */
  async store(deviceId: string, message: Output): Promise<StoredOutput | null | undefined> {
    const { session } = message;
    const key = outputKey(deviceId, session);
    const known = this.#waiting.get(key);
    if (known) {
      // What is dropped is sent again.
      if (known.messages.length < MOST_WAITING) known.messages.push(message);
      await known.answer.promise.catch(() => {});
      return undefined;
    }
    const answer = Promise.withResolvers<StoredOutput | null>();
    this.#waiting.set(key, { deviceId, session, messages: [message], answer });
    if (!this.#isStoring) void this.#storeAll();
    return answer.promise;
  }

  async #storeAll(): Promise<void> {
    this.#isStoring = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()];
      this.#waiting = new Map();
      await this.#storeBatch(batch);
    }
    this.#isStoring = false;
  }

  /** Never rejects: each caller receives its own error. */
  async #storeBatch(batch: readonly Waiting[]): Promise<void> {
    const others = new Set(batch);
    const known = batch.flatMap((waiting) => {
      const position = this.#lengths.get(waiting.session);
      if (position === undefined) return [];
      const { data, upTo } = newOutput(position, waiting.messages);
      return data.length === 0 ? [] : [{ waiting, position, data, upTo }];
    });
    try {
      const events = await this.#append(known);
      for (const { waiting, position, data, upTo } of known) {
        const event = events.get(outputKey(waiting.deviceId, waiting.session));
        if (event === undefined || !others.delete(waiting)) continue;
        this.#recent?.put(waiting.session, { event, position, data });
        waiting.answer.resolve(this.#stored(waiting.session, upTo));
      }
    } catch {
      // Each one is tried alone.
    }
    await Promise.all(
      [...others].map((waiting) =>
        this.#storeAlone(waiting).then(waiting.answer.resolve, waiting.answer.reject),
      ),
    );
  }

  async #append(
    known: readonly {
      readonly waiting: Waiting;
      readonly position: number;
      readonly data: Buffer;
    }[],
  ): Promise<Map<string, number>> {
    if (known.length === 0) return new Map();
    return appendOutputs(
      this.#database.orm,
      known.map(({ waiting: { session: id, deviceId }, position, data }) => ({
        ...{ id, deviceId, position, data },
      })),
    );
  }

  #storeAlone({ deviceId, session: id, messages }: Waiting): Promise<StoredOutput | null> {
    return inTransaction(this.#database, async (tx) => {
      const row = await lockTerminal(tx, id);
      if (row === undefined || row.deviceId !== deviceId || row.state === 'ended') {
        this.#lengths.delete(id);
        this.#recent?.forget(id);
        return null;
      }
      const position = row.recordedBytes;
      const { data, upTo } = newOutput(position, messages);
      if (data.length > 0) await appendOutput(tx, { id, position, data });
      return this.#stored(id, upTo);
    });
  }

  #stored(id: string, upTo: number): StoredOutput {
    if (this.#lengths.size >= MOST_KNOWN) this.#lengths.clear();
    this.#lengths.set(id, upTo);
    return { upTo, isFull: upTo >= TERMINAL_RECORDING_LIMIT_BYTES };
  }
}

/** What follows a position without a gap. */
function newOutput(
  position: number,
  messages: readonly Output[],
): { readonly data: Buffer; readonly upTo: number } {
  const parts: Uint8Array[] = [];
  let upTo = position;
  for (const { offset, data } of messages.toSorted((one, other) => one.offset - other.offset)) {
    const bytes = newBytes(upTo, { offset, bytes: Buffer.from(data, 'base64') });
    if (bytes === null) continue;
    parts.push(bytes);
    upTo += bytes.length;
  }
  return { data: Buffer.concat(parts), upTo };
}
