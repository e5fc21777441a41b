import { inTransaction } from '../platform/database/database.ts';
import type { TableWrite, WriteResult } from '../platform/sources/table-feed.ts';
import {
  beginAll,
  insertRejections,
  isAllSettled,
  moveAll,
  readFeed,
  recordWritten,
} from './data/feed-queries.ts';
import {
  clearOutgoing,
  deleteOutgoing,
  selectOutgoing,
  type Outgoing,
} from './data/outgoing-queries.ts';
import type { ItemKey } from './feed-source.ts';
import type { FeedDeps } from './read-page.ts';
import { rejection } from './rejection.ts';
import { takeIn } from './take-in.ts';

const ITEMS_AT_ONCE = 500;

/**
 * Writes some items to the outside table: those that changed, and all of them where too many
 * changed to be queued.
 * @returns the number of items
 */
export async function writePage(deps: FeedDeps): Promise<number> {
  const { database, source } = deps;
  const state = await readFeed(database.orm, source.name);
  if (state === undefined) return 0;
  if (state.fullSince !== null) {
    await inTransaction(database, async (tx) => {
      await clearOutgoing(tx, source.name);
      await beginAll(tx, source.name);
    });
    return ITEMS_AT_ONCE;
  }
  const changed = await writeChanged(deps);
  // What was read last is not written back.
  if (state.allAfter === null || state.reads === 'table') return changed;
  if (!(await isAllSettled(database.orm, source.name))) return changed;
  return changed + (await writeNext(deps, state.allAfter));
}

async function writeChanged(deps: FeedDeps): Promise<number> {
  const { database, source } = deps;
  const rows = await selectOutgoing(database.orm, source.name, ITEMS_AT_ONCE);
  if (rows.length === 0) return 0;
  const kept = new Set(await writeItems(deps, rows));
  const written = rows.filter(({ key, sortKey }) => !kept.has(textOf({ key, sortKey })));
  await deleteOutgoing(
    database.orm,
    source.name,
    written.map(({ seq }) => seq),
  );
  return rows.length;
}

async function writeNext(deps: FeedDeps, after: string): Promise<number> {
  const { database, source } = deps;
  const { keys, next } = await source.listKeys(database.orm, after, ITEMS_AT_ONCE);
  await writeItems(deps, keys);
  await moveAll(database.orm, source.name, after, next);
  return Math.max(1, keys.length);
}

const textOf = ({ key, sortKey }: ItemKey): string => `${key}\n${sortKey}`;

/** @returns the keys to write again */
async function writeItems(
  deps: FeedDeps,
  keys: readonly (ItemKey | Outgoing)[],
): Promise<readonly string[]> {
  const { database, feed, source } = deps;
  const writes = await source.itemsOf(database.orm, keys);
  if (writes.length === 0) return [];
  const results = await feed.publish(writes);
  const again = await settleConflicts(deps, writes, results);
  await recordWritten(
    database.orm,
    source.name,
    results.filter(({ kind }) => kind === 'written').length,
  );
  return again;
}

/** What the table has newer is applied here. An item there that cannot be is overruled where its layout allows it. */
async function settleConflicts(
  deps: FeedDeps,
  writes: readonly TableWrite[],
  results: readonly WriteResult[],
): Promise<readonly string[]> {
  const conflicts = results.flatMap((result, index) => {
    const key = writes[index]?.key;
    return result.kind === 'written' || key === undefined ? [] : [{ key, result }];
  });
  if (conflicts.length === 0) return [];
  const { source } = deps;
  return inTransaction(deps.database, async (tx) => {
    const again: string[] = [];
    for (const { key, result } of conflicts) {
      if (result.kind === 'refused') {
        await insertRejections(tx, source.name, [rejection(key, 'not-stored', result.reason)]);
      } else if (result.kind === 'conflict') {
        const taken = await takeIn(tx, [{ key, item: result.item }], deps);
        await insertRejections(tx, source.name, taken.rejected);
        if (taken.rejected.length > 0 && source.overrule !== undefined) {
          if (await source.overrule(tx, result.item)) again.push(keyText(key));
        }
      }
    }
    return again;
  });
}

/** Keys are in the order of the layout. */
function keyText(key: TableWrite['key']): string {
  const [first = '', second = ''] = Object.values(key);
  return textOf({ key: first, sortKey: second });
}
