import { countRanAfterReturn } from '../commands/data/execution/run-news-queries.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { addDevicesOfRuns, subjectOfRun } from './data/notification-queries.ts';
import { notify } from './notify.ts';

/**
 * Notifies the senders of runs on many devices that queued invocations ran on devices that reconnected: once for a
 * run, with an up-to-date number of devices. A run on one device is announced when it ends. Devices on which the
 * sender can no longer view commands do not count.
 */
export async function notifyQueuedRan(
  tx: Transaction,
  ended: readonly { readonly id: string; readonly runId: string }[],
): Promise<Change[]> {
  if (ended.length === 0) return [];
  const found = await countRanAfterReturn(
    tx,
    ended.map(({ id }) => id),
  );
  if (found.length === 0) return [];
  const known = await addDevicesOfRuns(tx, found);
  return notify(
    tx,
    found
      .filter(({ runId }) => !known.has(runId))
      .map(({ userId, ...facts }) => ({
        userId,
        kind: 'queued-ran',
        subject: subjectOfRun(facts.runId),
        facts,
      })),
  );
}
