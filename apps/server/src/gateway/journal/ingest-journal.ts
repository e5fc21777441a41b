import {
  applyJournalBatch,
  skipEntry,
  type AppliedJournal,
  type JournalDelivery,
} from './apply-journal-batch.ts';
import { isTransientFault, retryWhileAway } from '../../platform/database/errors/database-fault.ts';
import { traced } from '../../platform/tracing/traced.ts';
import type { UpMessage } from '../device-transport.ts';
import type { GatewayDependencies, QueueOutcome } from '../gateway-dependencies.ts';
import { JournalGaps } from './journal-gaps.ts';
import { JournalPauses } from './journal-pauses.ts';
import { readJournal } from './read-journal.ts';
import { readOutcomes } from './read-outcomes.ts';
import type { Recorders } from '../record-overflow.ts';

/** Entries per commit: enough to share its cost, while it takes only a tenth of a second. */
const MAX_BATCH_ENTRIES = 4_000;
/** Entries of one device; above this the device is delayed, so that a long journal leaves time for other work. */
const MAX_DEVICE_ENTRIES = 500;
const DEVICE_PAUSE_MS = 200;
/** Queued messages of one device; an agent has few in flight. */
const MOST_QUEUED = 32;
/** One is written while the next is prepared; more would only make all of them smaller. */
const MAX_BATCHES_IN_FLIGHT = 2;
/**
 * While others are being written, a further batch starts with this number of entries, or at the latest after this
 * time.
 */
const WORTHWHILE_ENTRIES = 2_000;
const BATCH_WAIT_MS = 20;
/** Occurs in every entry. */
const SEQ = '"seq"';
const LOG_QUIET_MS = 10_000;
/**
 * Earlier entries may be with another server of the group, about to be committed: the message is tried again for more
 * than half a second before the device has to send it again.
 */
const HOLD_MS = 25;
const MAX_HOLDS = 24;

interface Queued {
  readonly delivery: Omit<JournalDelivery, 'acceptGap'>;
  /** Earlier messages of the device may still arrive, however late. */
  readonly isUnordered: boolean;
  readonly done: (outcome: QueueOutcome) => void;
  /** How often it was held because earlier entries were missing. */
  readonly holds: number;
}

type Ingested = Pick<AppliedJournal, 'entryCount' | 'waiting' | 'acks' | 'unserved'>;

/**
 * Writes journals to the database: batched by time and size, several batches concurrently, but never two with the
 * same device, which keeps each device's order. Acknowledged after commit.
 */
export class JournalIngest implements AsyncDisposable {
  readonly #deps: GatewayDependencies;
  readonly #refusals: Recorders['refusals'];
  readonly #overflow: Recorders['overflow'];
  readonly #gaps: JournalGaps;
  readonly #pausedDevices = new JournalPauses();
  readonly #queues = new Map<string, Queued[]>();
  readonly #busy = new Set<string>();
  readonly #stop = new AbortController();
  readonly #held = new Map<NodeJS.Timeout, Queued>();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #pauses = new Set<NodeJS.Timeout>();
  #queuedEntries = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastFaultMs = 0;

  constructor(
    deps: GatewayDependencies,
    { refusals, overflow }: Recorders,
    options: { readonly gapPatienceMs?: number } = {},
  ) {
    this.#deps = deps;
    this.#refusals = refusals;
    this.#overflow = overflow;
    this.#gaps = new JournalGaps(options.gapPatienceMs);
  }

  /**
   * Resolves when the message is committed, rejected, or deferred: its entries then have to be sent
   * again, because earlier ones are missing, its device exceeds its quota, or the database failed.
   */
  take({
    deviceId,
    payload,
    isUnordered = false,
  }: Pick<UpMessage, 'deviceId' | 'payload' | 'isUnordered'>): Promise<QueueOutcome> {
    const isPaused = this.#pausedDevices.isPaused(deviceId, this.#deps.clock().getTime());
    if (isPaused || (this.#queues.get(deviceId)?.length ?? 0) >= MOST_QUEUED) {
      this.#overflow.note(deviceId, 'journal-entries', guessEntries(payload));
      return Promise.resolve('deferred');
    }
    const parsed = readJournal(payload);
    if (!parsed.message) {
      this.#refusals.record({
        deviceId,
        reason: 'broken-payload',
        detail: `journal: ${parsed.fault}`,
      });
      return Promise.resolve('refused');
    }
    const { promise, resolve } = Promise.withResolvers<QueueOutcome>();
    const delivery = { deviceId, message: parsed.message };
    this.#enqueue({ delivery, isUnordered, done: resolve, holds: 0 });
    return promise;
  }

  /** Stops waiting for the database; devices still have everything that is not committed. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    for (const pause of this.#pauses) clearTimeout(pause);
    this.#stop.abort();
    await Promise.allSettled(this.#inFlight);
    for (const [timer, { done }] of this.#held) {
      clearTimeout(timer);
      done('deferred');
    }
    this.#held.clear();
    for (const queue of this.#queues.values()) for (const { done } of queue) done('deferred');
    this.#queues.clear();
  }

  #enqueue(queued: Queued): void {
    const { deviceId, message } = queued.delivery;
    const queue = this.#queues.get(deviceId) ?? [];
    queue.push(queued);
    this.#queues.set(deviceId, queue);
    this.#queuedEntries += message.entries.length;
    if (this.#queuedEntries >= WORTHWHILE_ENTRIES) this.#start();
    else this.#schedule();
  }

  #hold(queued: Queued): void {
    const again = { ...queued, holds: queued.holds + 1 };
    const timer = setTimeout(() => {
      this.#held.delete(timer);
      this.#enqueue(again);
    }, HOLD_MS);
    this.#held.set(timer, again);
  }

  /** A device may be waiting for a single entry, so entries are gathered only while other batches are being written. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#start(), this.#inFlight.size === 0 ? 0 : BATCH_WAIT_MS);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#inFlight.size < MAX_BATCHES_IN_FLIGHT && !this.#stop.signal.aborted) {
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      const work = this.#work(batch).then((ingested) => {
        this.#inFlight.delete(work);
        this.#free(batch);
        const waiting = new Set(ingested?.waiting.map(({ message }) => message));
        const outcomeOf = ingested && readOutcomes(ingested);
        for (const queued of batch) {
          const waits = waiting.has(queued.delivery.message) && queued.holds < MAX_HOLDS;
          if (waits && !this.#stop.signal.aborted) this.#hold(queued);
          else queued.done(outcomeOf?.(queued.delivery) ?? 'deferred');
        }
        if (this.#queues.size > 0) this.#start();
      });
      this.#inFlight.add(work);
    }
  }

  #nextBatch(): Queued[] {
    const batch: Queued[] = [];
    let entries = 0;
    for (const [deviceId, queue] of this.#queues) {
      if (this.#busy.has(deviceId)) continue;
      const most = Math.min(MAX_BATCH_ENTRIES, entries + MAX_DEVICE_ENTRIES);
      while (queue.length > 0 && entries < most) {
        const next = queue.shift() as Queued;
        entries += next.delivery.message.entries.length;
        batch.push(next);
      }
      if (queue.length === 0) this.#queues.delete(deviceId);
      if (entries >= MAX_BATCH_ENTRIES) break;
    }
    for (const { delivery } of batch) this.#busy.add(delivery.deviceId);
    this.#queuedEntries -= entries;
    return batch;
  }

  /** Lets further messages of these devices be written; devices with large batches are delayed for a moment. */
  #free(batch: readonly Queued[]): void {
    for (const [deviceId, own] of Map.groupBy(batch, ({ delivery }) => delivery.deviceId)) {
      const entries = own.reduce((sum, { delivery }) => sum + delivery.message.entries.length, 0);
      if (entries < MAX_DEVICE_ENTRIES) {
        this.#busy.delete(deviceId);
        continue;
      }
      const pause = setTimeout(() => {
        this.#pauses.delete(pause);
        this.#busy.delete(deviceId);
        this.#start();
      }, DEVICE_PAUSE_MS);
      this.#pauses.add(pause);
    }
  }

  /** Never rejects. Undefined if the batch failed. */
  async #work(batch: readonly Queued[]): Promise<Ingested | undefined> {
    const startedAt = performance.now();
    const nowMs = this.#deps.clock().getTime();
    const deliveries = batch.map(({ delivery, isUnordered, holds }): JournalDelivery => ({
      ...delivery,
      // Trying a held message again does not count as a second delivery.
      acceptGap: holds === 0 && !isUnordered && this.#gaps.isPermanent(delivery.message, nowMs),
    }));
    try {
      const ingested = await traced(
        {
          ...{ kind: 'consumer', name: 'journal batch' },
          attributes: { 'messaging.batch.message_count': batch.length },
        },
        () => this.#applyIsolating(deliveries),
      );
      const seconds = (performance.now() - startedAt) / 1_000;
      this.#deps.meter?.journalEntries(ingested.entryCount, seconds);
      return ingested;
    } catch (error) {
      // Nothing was acknowledged, so nothing is lost: the devices send it again.
      if (!this.#stop.signal.aborted)
        this.#deps.logger.error({ err: error }, 'journal batch failed; devices will resend it');
      return undefined;
    }
  }

  /** Halves a batch that the database rejects until the offending entry is alone, and skips it. */
  async #applyIsolating(deliveries: readonly JournalDelivery[]): Promise<Ingested> {
    const options = {
      signal: this.#stop.signal,
      onFault: (error: unknown) => this.#logFault(error),
    };
    try {
      const applied = await retryWhileAway(
        () => applyJournalBatch(this.#deps, deliveries),
        options,
      );
      this.#publish(applied);
      return applied;
    } catch (error) {
      if (this.#stop.signal.aborted || isTransientFault(error)) throw error;
      const [first, second] = halve(deliveries);
      if (second)
        return together(await this.#applyIsolating(first), await this.#applyIsolating(second));
      const [only] = first;
      if (!only) return nothing;
      this.#deps.logger.warn({ err: error, deviceId: only.deviceId }, 'journal entry skipped');
      const skipped = await retryWhileAway(() => skipEntry(this.#deps, only), options);
      this.#publish(skipped);
      return skipped;
    }
  }

  #publish(applied: AppliedJournal): void {
    this.#deps.transport.publish(
      applied.acks.map(({ deviceId, ...ack }) => ({
        deviceId,
        channel: 'ack',
        payload: JSON.stringify(ack),
        // Lost only with the connection; the device then sends the journal again and gets another answer.
        qos: 0,
      })),
    );
    for (const refusal of applied.refusals) this.#refusals.record(refusal);
    for (const [deviceId, count] of applied.heldBack)
      this.#overflow.note(deviceId, 'journal-entries', count);
    const nowMs = this.#deps.clock().getTime();
    for (const { message } of applied.waiting) this.#gaps.record(message, nowMs);
    for (const ack of applied.acks) {
      this.#gaps.closed(ack);
      this.#pausedDevices.update(ack, nowMs);
    }
    this.#deps.changes.publish(applied.changes);
  }

  #logFault(error: unknown): void {
    const nowMs = this.#deps.clock().getTime();
    if (nowMs - this.#lastFaultMs < LOG_QUIET_MS) return;
    this.#lastFaultMs = nowMs;
    this.#deps.logger.warn({ err: error }, 'database unavailable; journal ingest paused');
  }
}

/** Estimates the number of entries of a message that is not parsed. */
function guessEntries(payload: Uint8Array): number {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  let count = 0;
  for (let at = bytes.indexOf(SEQ); at >= 0; at = bytes.indexOf(SEQ, at + SEQ.length)) count += 1;
  return Math.max(1, count);
}

const nothing: Ingested = { entryCount: 0, waiting: [], acks: [], unserved: [] };

const together = (first: Ingested, second: Ingested): Ingested => ({
  entryCount: first.entryCount + second.entryCount,
  waiting: [...first.waiting, ...second.waiting],
  // The second part continues the journals of the first.
  acks: [...first.acks, ...second.acks],
  unserved: [...first.unserved, ...second.unserved],
});

function halve(
  deliveries: readonly JournalDelivery[],
): readonly [readonly JournalDelivery[], (readonly JournalDelivery[])?] {
  if (deliveries.length > 1) {
    const middle = Math.ceil(deliveries.length / 2);
    return [deliveries.slice(0, middle), deliveries.slice(middle)];
  }
  const [only] = deliveries;
  if (!only || only.message.entries.length < 2) return [deliveries];
  const { entries } = only.message;
  const middle = Math.ceil(entries.length / 2);
  const part = (from: number, to: number): JournalDelivery => ({
    ...only,
    message: { ...only.message, entries: entries.slice(from, to) },
  });
  return [[part(0, middle)], [part(middle, entries.length)]];
}
