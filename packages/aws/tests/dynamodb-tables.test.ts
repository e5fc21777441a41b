import type { FeedCursor, TableChange, TableFeed } from '@deviceportal/server/aws-package';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTableFeed } from '../src/dynamodb-tables.ts';
import { OutsideTables } from './parts/outside-tables.ts';
import { lacks } from './parts/parts.ts';
import { startDynamoDbLocal } from './parts/start-dynamodb-local.ts';
import type { RunningPart } from './parts/start-part.ts';

const layout = { keys: ['component', 'version'], growing: 'revision' } as const;
const first = { component: 'firmware', version: '1.0', revision: 1, notes: 'first' };
const keyOf = ({ component, version }: { component: string; version: string }) => ({
  ...{ component, version },
});

describe.skipIf(lacks('DynamoDB Local'))('a DynamoDB table', () => {
  let part: RunningPart;
  let tables: OutsideTables;
  beforeAll(async () => {
    part = await startDynamoDbLocal();
    tables = new OutsideTables(part);
  });
  afterAll(() => part[Symbol.asyncDispose]());

  async function openTable(): Promise<{ readonly table: string; readonly open: () => TableFeed }> {
    const table = `t-${randomUUID()}`;
    await tables.create(table, layout);
    return { table, open: () => createTableFeed({ ...part, table, layout }) };
  }

  /** Reads until there is nothing more. */
  async function readAll(feed: TableFeed, from: FeedCursor | null) {
    const changes: TableChange[] = [];
    let cursor = from;
    let isFromTable = false;
    for (let empty = 0; empty < 2;) {
      const page = await feed.read(cursor);
      // As a database stores it.
      cursor = JSON.parse(JSON.stringify(page.cursor)) as FeedCursor;
      changes.push(...page.changes);
      isFromTable ||= page.reads === 'table';
      empty = page.reads === 'changes' && page.changes.length === 0 ? empty + 1 : 0;
    }
    return { changes, cursor, isFromTable };
  }

  it('is read whole at first, page by page, and then by its changes', async () => {
    const { table, open } = await openTable();
    // More than one page of a scan has, which is 1 MB.
    const notes = 'n'.repeat(300_000);
    for (const version of ['1', '2', '3', '4', '5']) {
      await tables.put(table, { ...first, version, notes });
    }
    const feed = open();
    const page = await feed.read(null);
    expect(page.reads).toBe('table');
    expect(page.changes.length).toBeLessThan(5);
    const { changes, cursor } = await readAll(feed, page.cursor);
    const known = [...page.changes, ...changes].map(({ key }) => key['version']);
    expect(new Set(known)).toEqual(new Set(['1', '2', '3', '4', '5']));

    await tables.put(table, { ...first, revision: 2 });
    await tables.put(table, { ...first, revision: 3 });
    await tables.remove(table, keyOf(first));
    const next = await readAll(feed, cursor);
    expect(next.changes).toEqual([
      { key: keyOf(first), item: { ...first, revision: 2 } },
      { key: keyOf(first), item: { ...first, revision: 3 } },
      { key: keyOf(first), item: null },
    ]);
  });

  it('continues at a cursor in another process, and repeats what is read from the same cursor', async () => {
    const { table, open } = await openTable();
    const { cursor } = await readAll(open(), null);
    await tables.put(table, first);
    const expected = [{ key: keyOf(first), item: first }];
    const feed = open();
    const once = await readAll(feed, cursor);
    expect(once.changes).toEqual(expected);
    expect((await readAll(feed, cursor)).changes).toEqual(expected);
    expect((await readAll(open(), cursor)).changes).toEqual(expected);
    expect((await readAll(open(), once.cursor)).changes).toEqual([]);
  });

  it.each([
    ['a shard that is no longer listed', { shards: { 'shardId-00000001-gone': '1' }, done: [] }],
    [
      'a stream that no longer exists',
      { streamArn: 'arn:aws:dynamodb:us-east-1:1:table/x/stream/y' },
    ],
  ])('is read whole again after %s', async (_case, lost) => {
    const { table, open } = await openTable();
    await tables.put(table, first);
    const { cursor } = await readAll(open(), null);
    const again = await readAll(open(), { ...cursor, ...lost });
    expect(again.isFromTable).toBe(true);
    expect(again.changes[0]).toEqual({ key: keyOf(first), item: first });
  });

  it('takes an item only if it is newer, and returns the one that it has', async () => {
    const { table, open } = await openTable();
    const feed = open();
    const write = (item: typeof first) => feed.publish([{ key: keyOf(item), item }]);
    expect(await write(first)).toEqual([{ kind: 'written' }]);
    const newer = { ...first, revision: 3 };
    await tables.put(table, newer);
    expect(await write({ ...first, revision: 3 })).toEqual([{ kind: 'conflict', item: newer }]);
    expect(await write({ ...first, revision: 4 })).toEqual([{ kind: 'written' }]);
    expect(await tables.items(table)).toEqual([{ ...first, revision: 4 }]);
    const large = { ...first, version: '2', notes: 'n'.repeat(500_000) };
    const small = { ...first, version: '3' };
    const results = await feed.publish([
      { key: keyOf(large), item: large },
      { key: keyOf(small), item: small },
      { key: keyOf(first), item: null },
    ]);
    expect(results.map(({ kind }) => kind)).toEqual(['refused', 'written', 'written']);
    expect(await tables.items(table)).toEqual([small]);
  });

  it('with items that never change takes them in batches, except for those that are too large', async () => {
    const { table } = await openTable();
    const feed = createTableFeed({ ...part, table, layout: { ...layout, growing: null } });
    const items = Array.from({ length: 30 }, (_, index) => ({
      ...first,
      version: String(index),
      notes: index === 3 ? 'n'.repeat(500_000) : '',
    }));
    const results = await feed.publish(items.map((item) => ({ key: keyOf(item), item })));
    expect(results.flatMap(({ kind }, index) => (kind === 'written' ? [] : [index, kind]))).toEqual(
      [3, 'refused'],
    );
    expect(await tables.items(table)).toHaveLength(29);
  });

  it('without a stream or with other keys is an error that says so', async () => {
    const table = `t-${randomUUID()}`;
    await tables.create(table, layout, null);
    const read = (keys: readonly [string]) =>
      createTableFeed({ ...part, table, layout: { keys, growing: 'at' } }).read(null);
    await expect(read(['deviceId'])).rejects.toThrow(/must have the key deviceId of type S/);
    await expect(createTableFeed({ ...part, table, layout }).read(null)).rejects.toThrow(
      /has no stream/,
    );
  });
});
