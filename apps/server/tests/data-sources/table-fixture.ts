import { randomUUID } from 'node:crypto';
import { OutsideTables } from '../../../../packages/aws/tests/parts/outside-tables.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { beginFeed, readFeed } from '../../src/data-sources/data/feed-queries.ts';
import { measureOutgoing } from '../../src/data-sources/data/outgoing-queries.ts';
import type { FeedSource } from '../../src/data-sources/feed-source.ts';
import { enableOutgoing } from '../../src/data-sources/outgoing-sources.ts';
import { readPage, type FeedDeps } from '../../src/data-sources/read-page.ts';
import { writePage } from '../../src/data-sources/write-page.ts';
import { loadAws } from '../../src/platform/aws/load-aws.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { TableItem, TableLayout } from '../../src/platform/sources/table-feed.ts';

export interface TableFixture {
  readonly name: string;
  readonly deps: FeedDeps;
  readonly tables: OutsideTables;
  /** Another program writes an item. */
  put(item: TableItem): Promise<void>;
  items(): Promise<TableItem[]>;
  /** Reads until there is nothing more. */
  readAll(): Promise<void>;
  /** Reads and writes until neither side has more. */
  settle(): Promise<void>;
}

/** A source with a new table outside the portal. */
export async function openTable(
  part: RunningPart,
  database: Database,
  { source, layout }: { readonly source: FeedSource; readonly layout: TableLayout },
): Promise<TableFixture> {
  const { createTableFeed } = await loadAws('dynamodb-tables', 'test');
  const name = `table-${randomUUID()}`;
  const tables = new OutsideTables(part);
  await tables.create(name, layout);
  await beginFeed(database.orm, source.name, name);
  enableOutgoing(database, [source.name]);
  const fail = (error: unknown): never => {
    throw error;
  };
  const deps: FeedDeps = {
    ...{ database, source, clock: () => new Date(), onError: fail },
    changes: createLocalChangeFeed(fail),
    feed: createTableFeed({ ...part, table: name, layout }),
  };
  async function readAll(): Promise<void> {
    for (let empty = 0; empty < 2;) empty = (await readPage(deps)) === 0 ? empty + 1 : 0;
  }
  /** Writing all items waits for transactions of other tests, too. */
  async function isBehind(): Promise<boolean> {
    const state = await readFeed(database.orm, source.name);
    const isWritingAll = state?.allAfter !== null && state?.reads !== 'table';
    return isWritingAll || (await measureOutgoing(database.orm, source.name)).count > 0;
  }
  return {
    ...{ name, deps, tables, readAll },
    put: (item) => tables.put(name, item),
    items: () => tables.items(name),
    async settle() {
      do {
        await readAll();
        while ((await writePage(deps)) > 0);
        await readAll();
      } while (await isBehind());
    },
  };
}
