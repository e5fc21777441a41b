import { isDeepStrictEqual } from 'node:util';
import type { ChangeFeed } from '../platform/change-feed.ts';
import { inTransaction, type Database } from '../platform/database/database.ts';
import type { FeedPage, TableFeed } from '../platform/sources/table-feed.ts';
import { insertRejections, moveCursor, readFeed, type FeedState } from './data/feed-queries.ts';
import { queueOutgoing } from './queue-outgoing.ts';
import { takeIn, type TakeInOptions } from './take-in.ts';

export interface FeedDeps extends TakeInOptions {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
  readonly feed: TableFeed;
}

const SEEN_INTERVAL_MS = 5_000;

/** Another server, or an administrator, moved the cursor. Nothing was applied. */
class CursorMovedError extends Error {}

/**
 * Reads one page of an outside table, and applies it in one transaction with its cursor.
 * @returns the number of changes in it
 */
export async function readPage(deps: FeedDeps): Promise<number> {
  const { database, feed, source } = deps;
  const state = await readFeed(database.orm, source.name);
  if (state === undefined) return 0;
  const page = await feed.read(state.cursor);
  if (isUnchanged(deps, state, page)) return 0;
  try {
    await applyPage(deps, state, page);
  } catch (error) {
    if (!(error instanceof CursorMovedError)) throw error;
  }
  return page.changes.length;
}

/** While nothing changes, the time of the last read is written less often than it is read. */
function isUnchanged({ clock }: FeedDeps, state: FeedState, page: FeedPage): boolean {
  const { cursor, reads, readFault, lastReadAt, lagMs } = state;
  const isRecent = clock().getTime() - (lastReadAt?.getTime() ?? 0) < SEEN_INTERVAL_MS;
  const isSame = reads === page.reads && lagMs === 0 && isDeepStrictEqual(cursor, page.cursor);
  return page.changes.length === 0 && readFault === null && isRecent && isSame;
}

async function applyPage(deps: FeedDeps, state: FeedState, page: FeedPage): Promise<void> {
  const { database, changes, clock, source } = deps;
  const taken = await inTransaction(database, async (tx) => {
    const result = await takeIn(tx, page.changes, deps);
    await insertRejections(tx, source.name, result.rejected);
    await queueOutgoing(tx, source.name, result.outdated);
    const isMoved = await moveCursor(tx, state, {
      ...{ cursor: page.cursor, reads: page.reads, changes: page.changes.length },
      ...{ applied: result.applied, rejected: result.rejected.length },
      lagMs: lagOf(page, clock()),
    });
    if (!isMoved) throw new CursorMovedError();
    return result;
  });
  if (taken.changes.length > 0) changes.publish(taken.changes);
}

function lagOf({ reads, newestAt }: FeedPage, now: Date): number | null {
  if (reads === 'table') return null;
  return newestAt === null ? 0 : Math.max(0, now.getTime() - newestAt.getTime());
}
