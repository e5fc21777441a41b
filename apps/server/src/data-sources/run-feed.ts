import { setTimeout as sleep } from 'node:timers/promises';
import {
  holdSessionLock,
  LockHeldError,
  type SessionLock,
} from '../platform/database/connections/session-lock.ts';
import type { Logger } from '../platform/logging.ts';
import type { ReadinessPart } from '../platform/readiness-board.ts';
import { recordFault } from './data/feed-queries.ts';
import { faultText } from './fault-text.ts';
import { readPage, type FeedDeps } from './read-page.ts';
import { writePage } from './write-page.ts';

export interface RunFeedOptions extends Omit<FeedDeps, 'onError'> {
  readonly logger: Logger;
  readonly readiness: ReadinessPart;
}

/** Interval of reading and of writing while there is nothing to do. */
const IDLE_MS = 1_000;
/** Interval at which a server that waits tries to take over. */
const LOCK_INTERVAL_MS = 2_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

type Way = 'readFault' | 'writeFault';

/** Reads and writes the outside table of a source, while no other server does. */
export function runFeed(options: RunFeedOptions): AsyncDisposable {
  const runner = new FeedRunner(options);
  const ended = runner.run();
  return {
    async [Symbol.asyncDispose]() {
      runner.stop();
      await ended;
    },
  };
}

class FeedRunner {
  readonly #options: RunFeedOptions;
  readonly #deps: FeedDeps;
  readonly #stopping = new AbortController();
  readonly #faults = new Map<Way, string>();

  constructor(options: RunFeedOptions) {
    this.#options = options;
    const { logger, source } = options;
    this.#deps = {
      ...options,
      onError: (error, key) =>
        logger.warn(
          { err: error, source: source.name, key },
          'item of an outside table not applied',
        ),
    };
  }

  stop(): void {
    this.#stopping.abort();
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#runWhileHeld();
      } catch (error) {
        if (!(error instanceof LockHeldError)) this.#warn(error, 'lock of an outside table failed');
      }
      await this.#pause(LOCK_INTERVAL_MS);
    }
  }

  /** @throws LockHeldError */
  async #runWhileHeld(): Promise<void> {
    const { database, source } = this.#options;
    const lost = new AbortController();
    await using lock = await holdSessionLock({
      ...{ database, name: `feed ${source.name}`, waitMs: 0, onLost: () => lost.abort() },
      onError: (error) => this.#warn(error, 'lock of an outside table not confirmed'),
    });
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    await Promise.all([
      this.#repeat('readFault', () => readPage(this.#deps), { lock, signal }),
      this.#repeat('writeFault', () => writePage(this.#deps), { lock, signal }),
    ]);
  }

  async #repeat(
    way: Way,
    work: () => Promise<number>,
    { lock, signal }: { readonly lock: SessionLock; readonly signal: AbortSignal },
  ): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!signal.aborted) {
      try {
        const count = lock.isHeld ? await work() : 0;
        retryMs = FIRST_RETRY_MS;
        this.#report(way, undefined);
        if (count === 0) await this.#pause(IDLE_MS);
      } catch (error) {
        await this.#fail(way, error);
        await this.#pause(retryMs);
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
      }
    }
  }

  async #fail(way: Way, error: unknown): Promise<void> {
    const { database, source } = this.#options;
    const fault = faultText(error);
    if (this.#faults.get(way) !== fault) this.#warn(error, 'outside table unavailable');
    this.#report(way, fault);
    await recordFault(database.orm, source.name, way, fault).catch(() => {});
  }

  #report(way: Way, fault: string | undefined): void {
    if (fault === undefined) this.#faults.delete(way);
    else this.#faults.set(way, fault);
    const [first] = this.#faults.values();
    if (first === undefined) this.#options.readiness.up();
    else this.#options.readiness.down(first);
  }

  #warn(error: unknown, message: string): void {
    const { logger, source } = this.#options;
    logger.warn({ err: error, source: source.name }, message);
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
