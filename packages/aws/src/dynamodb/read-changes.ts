import type { _Record } from '@aws-sdk/client-dynamodb-streams';
import type { FeedPage, TableChange } from '@deviceportal/server/aws-package';
import { fromAttributes } from './attribute-values.ts';
import type { ListedShards, ShardList } from './shard-list.ts';
import type { ShardReader, ShardRecords } from './shard-reader.ts';
import { toCursor, type StreamPosition } from './stream-position.ts';

/** Shards read for one page. */
const SHARDS_AT_ONCE = 4;

/** Changes were deleted from the stream before they were read, or the stream itself was. */
export class ChangesLostError extends Error {}

/**
 * Reads the changes after a position. A shard is read when its parent was read to its end, so that
 * the changes of a key keep their order; shards that were read least recently are read first.
 * @throws ChangesLostError
 */
export async function readChanges(
  { list, reader }: { readonly list: ShardList; readonly reader: ShardReader },
  position: StreamPosition,
): Promise<FeedPage> {
  const listed = await list.read(position.streamArn);
  const ready = readyShards(listed, position).toSorted(
    (one, other) => reader.lastReadAtMs(one) - reader.lastReadAtMs(other),
  );
  let read: (ShardRecords & { readonly shardId: string })[] = [];
  for (let from = 0; from < ready.length; from += SHARDS_AT_ONCE) {
    const some = await Promise.all(
      ready.slice(from, from + SHARDS_AT_ONCE).map(async (shardId) => {
        const after = position.shards[shardId] ?? '';
        return { shardId, ...(await reader.read({ ...position, shardId, after })) };
      }),
    );
    read = read.concat(some);
    if (some.some(({ records }) => records.length > 0)) break;
  }
  if (read.some(({ isEnd }) => isEnd)) list.forget();
  const records = read.flatMap((shard) => shard.records);
  return {
    changes: records.map(toChange),
    cursor: toCursor(advance(position, listed, read)),
    reads: 'changes',
    newestAt: newestOf(records),
  };
}

function readyShards(listed: ListedShards, { shards, done }: StreamPosition): string[] {
  const gone = Object.keys(shards).filter((shardId) => !listed.has(shardId));
  if (gone.length > 0)
    throw new ChangesLostError(`shards are no longer listed: ${gone.join(', ')}`);
  const finished = new Set(done);
  return [...listed].flatMap(([shardId, { parent }]) => {
    const isReady = parent === undefined || !listed.has(parent) || finished.has(parent);
    return isReady && !finished.has(shardId) ? [shardId] : [];
  });
}

function advance(
  { streamArn, scan, shards, done }: StreamPosition,
  listed: ListedShards,
  read: readonly (ShardRecords & { readonly shardId: string })[],
): StreamPosition {
  const places = new Map(Object.entries(shards));
  const finished = new Set(done.filter((shardId) => listed.has(shardId)));
  for (const { shardId, records, isEnd } of read) {
    const last = records.at(-1)?.dynamodb?.SequenceNumber ?? places.get(shardId) ?? '';
    if (isEnd) {
      places.delete(shardId);
      finished.add(shardId);
    } else places.set(shardId, last);
  }
  return { streamArn, scan, shards: Object.fromEntries(places), done: [...finished] };
}

function toChange({ dynamodb }: _Record): TableChange {
  const { Keys = {}, NewImage } = dynamodb ?? {};
  return {
    key: fromAttributes(Keys),
    item: NewImage === undefined ? null : fromAttributes(NewImage),
  };
}

function newestOf(records: readonly _Record[]): Date | null {
  const times = records.map(
    ({ dynamodb }) => dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0,
  );
  const newest = Math.max(0, ...times);
  return newest === 0 ? null : new Date(newest);
}
