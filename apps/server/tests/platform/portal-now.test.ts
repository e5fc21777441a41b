import { afterEach, afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { setDatabaseTime } from '../support/database/set-database-time.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => setDatabaseTime(db, 0));
afterAll(() => db[Symbol.asyncDispose]());

const planOf = async (statement: string): Promise<string> => {
  const { rows } = await db.database.pool.query<{ 'QUERY PLAN': string }>(`explain ${statement}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};
const aheadSeconds = async (): Promise<number[]> => {
  const { rows } = await db.database.pool.query<{ ahead: number[] }>(`
    select array[extract(epoch from portal_now() - now()),
                 round(extract(epoch from portal_now(clock_timestamp()) - clock_timestamp()))]::int[] as ahead`);
  return rows[0]?.ahead ?? [];
};

test.each([0, 86_400_000])(
  '[portal-now-1] with the time moved by %i ms it is planned as the clock itself, in the condition of an index',
  async (aheadMs) => {
    await setDatabaseTime(db, aheadMs);
    const plan = await planOf(
      "select from api_call where at > portal_now() - interval '1 minute' order by at limit 10",
    );
    expect(plan).not.toContain('portal_now');
    expect(plan).toMatch(/Index Cond: \(at > .*now\(\)/);
  },
);

test('[portal-now-2] it is the true time, and moves at once for every connection', async () => {
  expect(await aheadSeconds()).toEqual([0, 0]);
  await setDatabaseTime(db, 3_600_000);
  expect(await Promise.all([aheadSeconds(), aheadSeconds()])).toEqual([
    [3_600, 3_600],
    [3_600, 3_600],
  ]);
});

test('[portal-now-3] rows that are written without a time get it', async () => {
  await setDatabaseTime(db, 3_600_000);
  const { rows } = await db.database.pool.query<{ ahead: number }>(
    `insert into setting (key, value) values ('clock', '1') returning extract(epoch from updated_at - now())::int as ahead`,
  );
  expect(rows).toEqual([{ ahead: 3_600 }]);
});
