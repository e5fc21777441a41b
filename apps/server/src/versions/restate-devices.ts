import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { nextRestate, restateSome } from './data/restate-queries.ts';

/**
 * Earlier transactions usually end within milliseconds; one that does not must not delay the devices of other
 * changes.
 */
const SETTLE_MS = 25;
const SETTLE_LIMIT_MS = 250;

/**
 * Stores the state of versions for the devices that run them after it has changed: a limited number of devices at a
 * time, so that no other transaction waits long for their rows. A later call, or another server, continues where this
 * one stopped.
 * A transaction that stored a device's versions concurrently with the change may have read the previous state.
 * Therefore a round over the devices counts only if it began after all of those had ended; otherwise another round
 * follows.
 * @returns true when all devices are up to date; false when the time limit was reached
 */
export async function restateDevices(
  deps: { readonly database: Database },
  options: { readonly limitMs: number },
): Promise<boolean> {
  const until = performance.now() + options.limitMs;
  let waitedMs = 0;
  for (;;) {
    const restate = await nextRestate(deps.database.orm);
    if (restate === undefined) return true;
    if (performance.now() >= until) return false;
    const { after, settled } = restate;
    if (after === null && !settled && waitedMs < SETTLE_LIMIT_MS) {
      await sleep(SETTLE_MS);
      waitedMs += SETTLE_MS;
    } else if (await inTransaction(deps.database, (tx) => restateSome(tx, restate))) {
      waitedMs = 0;
    }
  }
}

const RESTATE_LIMIT_MS = 500;

/** Called after a change was committed: if few devices are affected, the user sees the effect immediately. */
export async function restateNow(deps: { readonly database: Database }): Promise<void> {
  // The change is committed regardless of errors here; the background job continues, and reports them.
  await restateDevices(deps, { limitMs: RESTATE_LIMIT_MS }).catch(() => false);
}
