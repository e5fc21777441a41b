import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

export interface OwnDatabaseOptions {
  /** A connection that holds the owner's lock: when it ends, the database or its owner has ended. */
  readonly claim: () => Promise<pg.Client>;
  /** Resolves when the database runs, started again where it had to be. */
  readonly revive: () => Promise<void>;
  readonly onFault?: (error: unknown) => void;
}

/** Disposing gives the database up, without stopping it. */
export type OwnedDatabase = AsyncDisposable;

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/** Owns the embedded database: sees it end, however that happens, and brings it back. */
export async function ownDatabase(options: OwnDatabaseOptions): Promise<OwnedDatabase> {
  const stopping = new AbortController();
  let returning: Promise<void> | undefined;
  let client: pg.Client;

  const watch = (claimed: pg.Client): void => {
    client = claimed;
    client.once('end', () => {
      if (!stopping.signal.aborted) returning = bringBack();
    });
  };
  const bringBack = async (): Promise<void> => {
    options.onFault?.(new Error('the embedded database ended'));
    // Processes of a killed database may live a moment longer, and while they do, no other one starts.
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, MAX_WAIT_MS)) {
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        await options.revive();
        watch(await options.claim());
        return;
      } catch (error) {
        options.onFault?.(error);
      }
    }
  };
  watch(await options.claim());

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await returning;
      await client.end();
    },
  };
}
