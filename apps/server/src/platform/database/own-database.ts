import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

export interface OwnDatabaseOptions {
  /** Opens a connection with the owner's lock. It ends when the database exits. */
  readonly claim: () => Promise<pg.Client>;
  /** Resolves when the database is running, after restarting it if needed. */
  readonly revive: () => Promise<void>;
  readonly onFault?: (error: unknown) => void;
}

/** Disposing releases the database without stopping it. */
export type OwnedDatabase = AsyncDisposable;

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/** Owns the embedded database: detects when it exits and restarts it. */
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
    options.onFault?.(new Error('embedded database exited'));
    // Processes of a killed database can still be running and prevent a start, so retry with
    // back-off.
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
