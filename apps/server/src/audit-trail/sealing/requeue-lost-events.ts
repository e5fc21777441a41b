import type { Database } from '../../platform/database/database.ts';
import { lastBlock } from '../data/sealing/block-queries.ts';
import { requeueEvents } from '../data/sealing/unsealed-event-queries.ts';

const MINUTE_MS = 60_000;
/** Events that are younger may still be on their way into the queue. */
const YOUNGEST_MS = 2 * MINUTE_MS;
/** How far before the newest block an event may have been recorded. */
const REACH_MS = 60 * MINUTE_MS;

/**
 * Queues events again whose entry in the queue of the seal was deleted: those recorded around the newest block or after
 * it. Answers how many. Older ones are found by `npm run verify-audit`, which reads the whole trail.
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
