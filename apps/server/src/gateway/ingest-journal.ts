import { journalMessageSchema } from '@deviceportal/device-protocol/journal';
import {
  applyJournalBatch,
  skipEntry,
  type AppliedJournal,
  type JournalDelivery,
} from './apply-journal-batch.ts';
import { isTransientFault, retryWhileAway } from '../platform/database/database-fault.ts';
import type { UpMessage } from './device-transport.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { JournalGaps } from './journal-gaps.ts';
import { parseUpMessage } from './parse-up-message.ts';
import type { RefusalRecorder } from './record-refusals.ts';

/** One commit carries so many: its cost is shared, and it still takes tens of milliseconds only. */
const MAX_BATCH_ENTRIES = 2_000;
const MAX_BATCHES_IN_FLIGHT = 4;
/** While others are being written, a further batch starts when it is worth its statements, or at the latest after this. */
const WORTHWHILE_ENTRIES = 1_000;
const BATCH_WAIT_MS = 20;
const LOG_QUIET_MS = 10_000;

interface Queued {
  readonly delivery: Omit<JournalDelivery, 'acceptGap'>;
  readonly done: () => void;
}

/**
 * Journals on their way into the database: gathered by time and size, several batches at once, but never two with
 * the same device, so that each device's order is kept. Acknowledged after commit.
 */
export class JournalIngest implements AsyncDisposable {
  readonly #deps: GatewayDependencies;
  readonly #refusals: Pick<RefusalRecorder, 'record'>;
  readonly #gaps: JournalGaps;
  readonly #queues = new Map<string, Queued[]>();
  readonly #busy = new Set<string>();
  readonly #stop = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  #queuedEntries = 0;
  #timer: NodeJS.Timeout | undefined;
  #lastFaultMs = 0;

  constructor(
    deps: GatewayDependencies,
    refusals: Pick<RefusalRecorder, 'record'>,
    options: { readonly gapPatienceMs?: number } = {},
  ) {
    this.#deps = deps;
    this.#refusals = refusals;
    this.#gaps = new JournalGaps(options.gapPatienceMs);
  }

  /** Resolves when the message is committed, refused, or put off until what is missing before it comes. */
  take({ deviceId, payload }: Pick<UpMessage, 'deviceId' | 'payload'>): Promise<void> {
    const parsed = parseUpMessage(journalMessageSchema, payload);
    if (!parsed.message) {
      this.#refusals.record({
        deviceId,
        reason: 'broken-payload',
        detail: `journal: ${parsed.fault}`,
      });
      return Promise.resolve();
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.#queues.get(deviceId) ?? [];
    queue.push({ delivery: { deviceId, message: parsed.message }, done: resolve });
    this.#queues.set(deviceId, queue);
    this.#queuedEntries += parsed.message.entries.length;
    if (this.#queuedEntries >= WORTHWHILE_ENTRIES) this.#start();
    else this.#schedule();
    return promise;
  }

  /** Ends waiting for the database; what is not committed is with the devices still. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await Promise.allSettled(this.#inFlight);
    for (const queue of this.#queues.values()) for (const { done } of queue) done();
    this.#queues.clear();
  }

  /** Somebody may be waiting for a single entry: only while others are being written there is time to gather. */
  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#start(), this.#inFlight.size === 0 ? 0 : BATCH_WAIT_MS);
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#inFlight.size < MAX_BATCHES_IN_FLIGHT && !this.#stop.signal.aborted) {
      const batch = this.#nextBatch();
      if (batch.length === 0) return;
      const work = this.#work(batch).finally(() => {
        this.#inFlight.delete(work);
        for (const { delivery } of batch) this.#busy.delete(delivery.deviceId);
        for (const { done } of batch) done();
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
      while (queue.length > 0 && entries < MAX_BATCH_ENTRIES) {
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

  async #work(batch: readonly Queued[]): Promise<void> {
    const startedAt = performance.now();
    const nowMs = this.#deps.clock().getTime();
    const deliveries = batch.map(({ delivery }): JournalDelivery => ({
      ...delivery,
      acceptGap: this.#gaps.isReal(delivery.message, nowMs),
    }));
    try {
      const count = await this.#applyIsolating(deliveries);
      this.#deps.meter?.journalEntries(count, (performance.now() - startedAt) / 1_000);
    } catch (error) {
      // Nothing was acknowledged, so nothing is lost: the devices send it again.
      if (!this.#stop.signal.aborted)
        this.#deps.logger.error({ err: error }, 'a journal batch was given up');
    }
  }

  /** Halves a batch that the database refuses until the entry that is to blame stands alone, and skips that one. */
  async #applyIsolating(deliveries: readonly JournalDelivery[]): Promise<number> {
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
      return applied.entryCount;
    } catch (error) {
      if (this.#stop.signal.aborted || isTransientFault(error)) throw error;
      const [first, second] = halve(deliveries);
      if (second) return (await this.#applyIsolating(first)) + (await this.#applyIsolating(second));
      const [only] = first;
      if (!only) return 0;
      this.#deps.logger.warn(
        { err: error, deviceId: only.deviceId },
        'a journal entry was skipped',
      );
      this.#publish(await retryWhileAway(() => skipEntry(this.#deps, only), options));
      return 0;
    }
  }

  #publish(applied: AppliedJournal): void {
    this.#deps.transport.publish(
      applied.acks.map(({ deviceId, ...ack }) => ({
        deviceId,
        channel: 'ack',
        payload: JSON.stringify(ack),
        // Lost with the connection only, and then the device sends again and is answered again.
        qos: 0,
      })),
    );
    for (const refusal of applied.refusals) this.#refusals.record(refusal);
    const nowMs = this.#deps.clock().getTime();
    for (const { message } of applied.waiting) this.#gaps.saw(message, nowMs);
    for (const ack of applied.acks) this.#gaps.closed(ack);
    this.#deps.changes.publish(applied.changes);
  }

  #logFault(error: unknown): void {
    const nowMs = this.#deps.clock().getTime();
    if (nowMs - this.#lastFaultMs < LOG_QUIET_MS) return;
    this.#lastFaultMs = nowMs;
    this.#deps.logger.warn({ err: error }, 'the database is away; journals wait');
  }
}

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
