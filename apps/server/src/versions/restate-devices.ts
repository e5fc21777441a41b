import { setTimeout as sleep } from 'node:timers/promises';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { nextRestate, restateSome } from './data/restate-queries.ts';

/** Those transactions mostly end within milliseconds; one that does not end must not keep the others' devices waiting. */
const SETTLE_MS = 25;
const SETTLE_LIMIT_MS = 250;

/**
 * Writes down what versions mean for the devices that run them, after that changed: some devices at a time, so that
 * no other transaction waits long for their rows. A later call, or another server, goes on where this one stopped.
 *
 * A transaction that stored a device's versions while the change was made may have read the old meaning. So a round over
 * the devices counts only if it began after all of those had ended; else there is another one.
 *
 * @returns true when all devices are up to date; false when the time was up
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

const AT_ONCE_MS = 500;

/** After a change was committed: where few devices run the versions, the user who made it sees its effect at once. */
export async function restateAtOnce(deps: { readonly database: Database }): Promise<void> {
  // The change stands whatever happens here; the worker goes on, and reports what hinders it.
  await restateDevices(deps, { limitMs: AT_ONCE_MS }).catch(() => false);
}
