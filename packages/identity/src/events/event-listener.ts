import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { EVENT_CHANNEL, readEvents, readEventsSince } from './event-store.ts';
import type { Subscriptions } from './subscriptions.ts';

const RECONNECT_MS = 1_000;
/** Clocks of servers differ, and transactions end after they began. */
const OVERLAP_MS = 10_000;
const noticeSchema = z.object({ id: z.number(), userId: z.string() });

export interface EventListenerOptions {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly subscriptions: Subscriptions;
  readonly onError: (error: unknown) => void;
}

/**
 * Listens for the events of all servers as long as this one has subscribers, on a connection of its own. After a break
 * what was missed is read from the table.
 */
export class EventListener implements AsyncDisposable {
  readonly #options: EventListenerOptions;
  #running: { readonly stop: AbortController; readonly finished: Promise<void> } | undefined;
  #ready: Promise<void> = Promise.resolve();
  /** Ids that are still to be read. */
  readonly #heard: number[] = [];
  #isReading = false;

  constructor(options: EventListenerOptions) {
    this.#options = options;
  }

  /** Resolves when nothing published from now on is missed. */
  async start(): Promise<void> {
    if (this.#running === undefined) {
      const stop = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ready = promise;
      this.#running = { stop, finished: this.#keepListening(stop.signal, resolve) };
    }
    await this.#ready;
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.stop.abort();
    await running?.finished;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #keepListening(signal: AbortSignal, onReady: () => void): Promise<void> {
    const { db, clock, subscriptions, onError } = this.#options;
    let since: Date | undefined;
    while (!signal.aborted) {
      try {
        await this.#listen(signal, async () => {
          onReady();
          if (since === undefined) return;
          const missed = await readEventsSince(db, since, subscriptions.userIds());
          for (const event of missed) subscriptions.deliver(event);
        });
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      since = new Date(clock.now() - OVERLAP_MS);
      if (!signal.aborted) await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
    onReady();
  }

  /** Resolves when the connection has ended. */
  async #listen(signal: AbortSignal, onListening: () => Promise<void>): Promise<void> {
    const client = await this.#options.db.connect();
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
    const onAbort = (): void => end();
    signal.addEventListener('abort', onAbort, { once: true });
    client.on('error', fail);
    client.on('end', end);
    client.on('notification', ({ payload }) => this.#hear(payload));
    try {
      await client.query(`listen ${EVENT_CHANNEL}`);
      await onListening();
      if (!signal.aborted) await ended;
    } finally {
      signal.removeEventListener('abort', onAbort);
      // A listening connection must not be reused.
      client.release(true);
    }
  }

  #hear(payload: string | undefined): void {
    const { subscriptions, onError } = this.#options;
    try {
      const { id, userId } = noticeSchema.parse(JSON.parse(payload ?? ''));
      if (subscriptions.countOf(userId) === 0) return;
      this.#heard.push(id);
      if (!this.#isReading) void this.#readHeard();
    } catch (error) {
      onError(error);
    }
  }

  /** Serialized, because concurrent reads could end in any order. */
  async #readHeard(): Promise<void> {
    const { db, subscriptions, onError } = this.#options;
    this.#isReading = true;
    while (this.#heard.length > 0) {
      try {
        const events = await readEvents(db, this.#heard.splice(0));
        for (const event of events) subscriptions.deliver(event);
      } catch (error) {
        onError(error);
      }
    }
    this.#isReading = false;
  }
}
