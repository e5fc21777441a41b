/**
 * The journal on the device. An entry is numbered and written to the log before it is sent, and
 * kept until the server acknowledges it, which follows the database commit. All unacknowledged
 * entries are sent again, in order, on every new connection and when an acknowledgment is missing.
 * An acknowledgment by the broker alone is not sufficient.
 */

import type { AckMessage, JournalDraft, JournalEntry } from '@deviceportal/device-protocol/journal';
import { type Logger, reasonOf } from '../logger.ts';
import type { OutputMark } from '../store/agent-state.ts';
import type { AgentStore } from '../store/agent-store.ts';

/**
 * Limits of one message, well below the broker's 128 KiB (docs/design/decisions.md, section 10).
 */
const MAX_BATCH_ENTRIES = 500;
const MAX_BATCH_BYTES = 100_000;
const MAX_MESSAGES_IN_FLIGHT = 8;
/** Wait for the entry that usually follows, in batching delays. */
const DELAYS_UNTIL_FOLLOWED = 3;
/**
 * Longer than a commit, but short for a user who is watching. A broker that restarts before its
 * server drops messages.
 */
const FIRST_ACK_WAIT_MS = 6_000;
const MAX_ACK_WAIT_MS = 120_000;

export interface JournalOptions {
  readonly store: AgentStore;
  readonly instanceId: () => string;
  readonly now: () => number;
  readonly log: Logger;
  /** Batching delay, so that a quick command is sent as one message. */
  readonly coalesceMs?: number;
  /** Delay without an acknowledgment before entries are sent again. Doubles with each attempt. */
  readonly ackWaitMs?: number;
}

interface AppendOptions {
  readonly mark?: OutputMark;
  /** Maximum batching delay in milliseconds. */
  readonly urgencyMs?: number;
  /** Whether another entry is likely within a moment, so that both should be one message. */
  readonly isSoonFollowed?: boolean;
}

/** Resolves when the broker has acknowledged the message. */
export type SendJournal = (payload: string) => Promise<void>;

export class Journal {
  readonly #options: JournalOptions;
  readonly #coalesceMs: number;
  readonly #ackWaitMs: number;
  #send: SendJournal | undefined;
  #connection = 0;
  #sentUpTo = 0;
  #durableUpTo: number;
  #inFlight = 0;
  #flushTimer: NodeJS.Timeout | undefined;
  #flushDueMs = Number.POSITIVE_INFINITY;
  #ackTimer: NodeJS.Timeout | undefined;
  #ackWaits = 0;
  /** Set while the server has requested a pause. */
  #pauseTimer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#coalesceMs = options.coalesceMs ?? 20;
    this.#ackWaitMs = options.ackWaitMs ?? FIRST_ACK_WAIT_MS;
    this.#durableUpTo = options.store.state.nextSeq - 1;
  }

  get unacknowledged(): number {
    return this.#options.store.state.unacknowledged.length;
  }

  /** Numbers and stores an entry. */
  append(draft: JournalDraft, options: AppendOptions = {}): void {
    const { store, now } = this.#options;
    const entry = {
      seq: store.state.nextSeq,
      at: new Date(now()).toISOString(),
      ...draft,
    } as JournalEntry;
    store.record(options.mark ? { t: 'entry', entry, mark: options.mark } : { t: 'entry', entry });
    const { urgencyMs = Infinity, isSoonFollowed = false } = options;
    const delayMs = this.#coalesceMs * (isSoonFollowed ? DELAYS_UNTIL_FOLLOWED : 1);
    this.#scheduleFlush(Math.min(urgencyMs, delayMs));
  }

  /** Called for a new connection: all unacknowledged entries are sent again, oldest first. */
  attach(send: SendJournal): void {
    this.#connection += 1;
    this.#send = send;
    this.#inFlight = 0;
    this.#ackWaits = 0;
    this.#sentUpTo = this.#options.store.state.ackedUpTo;
    void this.#flush();
  }

  detach(): void {
    this.#connection += 1;
    this.#send = undefined;
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
  }

  /**
   * The server has committed everything up to and including `upTo`. Outdated acknowledgments are
   * ignored.
   */
  acknowledge(message: AckMessage): void {
    const { store } = this.#options;
    const { state } = store;
    if (message.instanceId !== this.#options.instanceId() || message.epoch !== state.epoch) return;
    if (message.waitMs !== undefined) this.#pause(message.waitMs);
    if (message.upTo <= state.ackedUpTo || message.upTo >= state.nextSeq) return;
    store.record({ t: 'ack', upTo: message.upTo });
    this.#ackWaits = 0;
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#sentUpTo = Math.max(this.#sentUpTo, message.upTo);
    // Not flushed immediately: losing an acknowledgment only causes a duplicate transmission.
    if (state.unacknowledged.length > 0) this.#watchForAck();
    else for (const resolve of this.#idle.splice(0)) resolve();
    this.#pump();
  }

  /** Resolves when everything is acknowledged, or after the timeout. */
  async drained(timeoutMs: number): Promise<void> {
    if (this.unacknowledged === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#idle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.detach();
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#pauseTimer);
    await this.#options.store.durable().catch(() => {});
  }

  /** Pauses sending at the server's request, then sends all unacknowledged entries. */
  #pause(waitMs: number): void {
    clearTimeout(this.#pauseTimer);
    clearTimeout(this.#ackTimer);
    this.#ackTimer = undefined;
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined;
      this.#sendAgain();
    }, waitMs);
    this.#pauseTimer.unref();
  }

  #sendAgain(): void {
    this.#inFlight = 0;
    this.#sentUpTo = this.#options.store.state.ackedUpTo;
    this.#pump();
  }

  #scheduleFlush(delayMs: number): void {
    const dueMs = performance.now() + delayMs;
    if (dueMs >= this.#flushDueMs) return;
    clearTimeout(this.#flushTimer);
    this.#flushDueMs = dueMs;
    this.#flushTimer = setTimeout(() => {
      this.#flushDueMs = Number.POSITIVE_INFINITY;
      void this.#flush();
    }, delayMs);
  }

  async #flush(): Promise<void> {
    const { store, log } = this.#options;
    const upTo = store.state.nextSeq - 1;
    try {
      await store.durable();
    } catch (error) {
      // Report a full disk even though the entry is not on disk, because support must be able to
      // see it.
      log('error', 'journal write failed', { reason: reasonOf(error) });
    }
    this.#durableUpTo = Math.max(this.#durableUpTo, upTo);
    this.#pump();
  }

  #pump(): void {
    while (this.#send && !this.#pauseTimer && this.#inFlight < MAX_MESSAGES_IN_FLIGHT) {
      const payload = this.#nextPayload();
      if (payload === undefined) return;
      this.#dispatch(this.#send, payload);
    }
  }

  #dispatch(send: SendJournal, payload: string): void {
    const connection = this.#connection;
    this.#inFlight += 1;
    this.#watchForAck();
    const settled = (wasTaken: boolean): void => {
      // A batch of an earlier connection. The next connection started again at the first
      // unacknowledged entry.
      if (connection !== this.#connection) return;
      this.#inFlight -= 1;
      if (wasTaken) this.#pump();
    };
    void send(payload).then(
      () => settled(true),
      () => settled(false),
    );
  }

  #nextPayload(): string | undefined {
    const { store } = this.#options;
    const { state } = store;
    const first = this.#sentUpTo + 1;
    const from = first - state.ackedUpTo - 1;
    const parts: string[] = [];
    let bytes = 0;
    for (let index = from; index < state.unacknowledged.length; index += 1) {
      const entry = state.unacknowledged[index];
      if (!entry || entry.seq > this.#durableUpTo || parts.length >= MAX_BATCH_ENTRIES) break;
      const entryBytes = Buffer.byteLength(entry.json) + 1;
      if (parts.length > 0 && bytes + entryBytes > MAX_BATCH_BYTES) break;
      bytes += entryBytes;
      parts.push(entry.json);
      this.#sentUpTo = entry.seq;
    }
    if (parts.length === 0) return undefined;
    const head = `{"instanceId":${JSON.stringify(this.#options.instanceId())},"epoch":"${state.epoch}"`;
    const oldest = state.unacknowledged[0]?.seq ?? first;
    return `${head},"oldest":${oldest},"entries":[${parts.join(',')}]}`;
  }

  #watchForAck(): void {
    if (this.#ackTimer || this.#pauseTimer) return;
    const waitMs = Math.min(this.#ackWaitMs * 2 ** this.#ackWaits, MAX_ACK_WAIT_MS);
    this.#ackTimer = setTimeout(() => {
      this.#ackTimer = undefined;
      if (!this.#send || this.unacknowledged === 0) return;
      this.#ackWaits += 1;
      this.#sendAgain();
    }, waitMs);
    this.#ackTimer.unref();
  }
}
