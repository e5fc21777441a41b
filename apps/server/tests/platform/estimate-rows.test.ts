import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type SQL } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { estimateRowsOfEach, estimateTable } from '../../src/platform/database/estimate-rows.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase({ empty: true });
  await db.database.pool.query('create table counted as select generate_series(1, 1000) as n');
  await db.database.pool.query('analyze counted');
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => db[Symbol.asyncDispose]());

const upTo = (most: number): SQL => sql`select 1 from counted where n <= ${most}`;

test('[estimate-rows-1] each query gets its own estimate, whichever of them are known', async () => {
  const { orm } = db.database;
  const [half] = await estimateRowsOfEach(orm, [upTo(500)]);
  const all = await estimateRowsOfEach(orm, [upTo(100), upTo(500), upTo(900), upTo(500)]);
  expect(half).toBeGreaterThan(400);
  expect(all[0]).toBeLessThan(200);
  expect(all[1]).toBe(half);
  expect(all[2]).toBeGreaterThan(800);
  expect(all[3]).toBe(half);
});

test('[estimate-rows-2] an estimate is made once in ten seconds', async () => {
  const { orm } = db.database;
  const asked = vi.spyOn(orm, 'execute');
  const now = vi.spyOn(performance, 'now');
  const ask = async (): Promise<number> => {
    // The cache reads the clock once in a millisecond.
    await sleep(5);
    await estimateRowsOfEach(orm, [upTo(300)]);
    return asked.mock.calls.length;
  };
  expect([await ask(), await ask()]).toEqual([1, 1]);
  now.mockReturnValue(performance.now() + 10_500);
  expect(await ask()).toBe(2);
});

test('[estimate-rows-3] a transaction sees the table as it has changed it', async () => {
  const before = await estimateTable(db.database.orm, 'counted');
  const within = await inTransaction(db.database, async (tx) => {
    await tx.execute(sql`insert into counted select generate_series(1, 4000)`);
    await tx.execute(sql`analyze counted`);
    return estimateTable(tx, 'counted');
  });
  expect([before, within]).toEqual([1_000, 5_000]);
});
