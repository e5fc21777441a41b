import type { Database } from '../../platform/database/database.ts';
import { lastBlock } from '../data/sealing/block-queries.ts';
import { requeueEvents } from '../data/sealing/unsealed-event-queries.ts';

const MINUTE_MS = 60_000;
/** Later events may not be queued yet. */
const YOUNGEST_MS = 2 * MINUTE_MS;
/** Maximum time between an event and the newest block. */
const REACH_MS = 60 * MINUTE_MS;

/**
 * Queues events again whose queue entry was deleted, if they were recorded around the newest block or later. Returns how
 * many. Older ones are found by `npm run verify-audit`, which reads the whole trail.
 */
export async function requeueLostEvents(
  { orm }: Pick<Database, 'orm'>,
  now: Date,
): Promise<number> {
  const block = await lastBlock(orm);
  const reached = Math.min(now.getTime(), block === undefined ? 0 : Date.parse(block.sealedAt));
  return requeueEvents(orm, {
    since: new Date(Math.max(0, reached - REACH_MS)),
    until: new Date(now.getTime() - YOUNGEST_MS),
  });
}
