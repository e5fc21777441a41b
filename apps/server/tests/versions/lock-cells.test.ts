import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  inTransaction,
  openDatabase,
  type Database,
} from '../../src/platform/database/database.ts';
import {
  applyCellDeltas,
  recountCells,
  refreshCellStates,
} from '../../src/versions/data/cell-state-queries.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());
beforeEach(seedCells);

/** Stored from the last key to the first, so that locking in storage order would lock the last one first. */
async function seedCells(): Promise<void> {
  await db.owner.orm.execute(sql`truncate version_cell, version_cell_delta`);
  await db.database.orm.execute(sql`
    insert into version_cell (component, version, model, country, devices, state)
    select 'firmware', version, 'M1', 'DE', 1, 'behind' from unnest(array['3.0', '2.0', '1.0']) version`);
  await db.database.orm.execute(sql`
    insert into version_cell_delta (component, version, model, country, devices)
    select component, version, model, country, 1 from version_cell`);
}

const writers: readonly [string, (database: Database) => Promise<unknown>][] = [
  ['folded', ({ orm }) => applyCellDeltas(orm, 100)],
  ['counted anew', (database) => inTransaction(database, recountCells)],
  ['approved', (database) => inTransaction(database, (tx) => refreshCellStates(tx, 'firmware'))],
];

test.for(writers)(
  'causes no deadlock with another change when counts are %s',
  async ([, write]) => {
    await using other = openDatabase({ url: db.url });
    let written: Promise<unknown> = Promise.resolve();
    await inTransaction(db.database, async (tx) => {
      const addTo = (version: string) =>
        tx.execute(sql`update version_cell set devices = devices + 1 where version = ${version}`);
      await addTo('1.0');
      written = write(other);
      await someoneWaits();
      // A deadlock here, if the writer locked later keys first.
      await addTo('3.0');
    });
    await written;
    expect(await someoneIsBlocked()).toBe(false);
  },
);

async function someoneIsBlocked(): Promise<boolean> {
  const found = await db.database.orm.execute(sql`
    select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`);
  return found.rowCount !== 0;
}

const someoneWaits = () =>
  vi.waitFor(async () => expect(await someoneIsBlocked()).toBe(true), { timeout: 10_000 });
