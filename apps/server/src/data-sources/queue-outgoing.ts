import type { TableSource } from '@deviceportal/contract/data-sources';
import type { Transaction } from '../platform/database/database.ts';
import { insertOutgoing, markFull } from './data/outgoing-queries.ts';
import type { ItemKey } from './feed-source.ts';
import { isOutgoing } from './outgoing-sources.ts';

/** Changes in the queue of a source. Beyond that, all items are written later instead. */
const OUTGOING_LIMIT = 100_000;

/**
 * Queues items to be written to the outside table of a source, in the transaction of their change
 * and after it.
 *
 * @param options.isErased the items were erased: they are queued beyond the limit, too
 */
export async function queueOutgoing(
  tx: Transaction,
  source: TableSource,
  keys: readonly ItemKey[],
  { isErased = false, limit = OUTGOING_LIMIT } = {},
): Promise<void> {
  if (keys.length === 0 || !isOutgoing(tx, source)) return;
  const byText = new Map(keys.map((each) => [`${each.key}\n${each.sortKey}`, each]));
  const rows = [...byText.values()].map((each) => ({ ...each, source, isErased }));
  const queued = await insertOutgoing(tx, source, rows, isErased ? null : limit);
  if (!queued) await markFull(tx, source);
}
