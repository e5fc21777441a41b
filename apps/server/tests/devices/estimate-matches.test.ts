import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import { listDevicesInput } from '@deviceportal/contract/devices';
import { estimateMatches } from '../../src/devices/list/estimate-matches.ts';
import { estimateRows, estimateRowsOfEach } from '../../src/platform/database/estimate-rows.ts';
import { seedDevices, viewerWith } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

/** More than are counted one by one. */
const SUSPENDED = 3_001;
let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
  await seedDevices(
    db.database,
    Array.from({ length: SUSPENDED }, (_, n) => ({
      lifecycle: 'suspended' as const,
      country: n === 0 ? 'PL' : 'DE',
      connectivity: n % 2 === 0 ? ('never' as const) : ('online' as const),
    })),
  );
  await db.database.pool.query(
    `update device_status set seen_rank = case connectivity when 'never' then '-infinity' else 'infinity' end::timestamptz`,
  );
});
afterAll(() => db[Symbol.asyncDispose]());

const estimate = (values: Record<string, string>, countries: string[] = []) =>
  estimateMatches(
    { database: db.database, clock: () => new Date() },
    viewerWith('Administrator', { ...everywhere, countries }),
    listDevicesInput.parse({
      filter: {
        tokens: Object.entries(values).map(([key, value]) => ({
          ...{ key, operator: '=', values: [value] },
        })),
      },
      sort: 'serialNumber',
      pageSize: 25,
    }).filter,
  );

test('a number of devices above the counted ones is not cut off and called exact', async () => {
  expect(await estimate({ lifecycle: 'suspended' })).toEqual({ count: SUSPENDED, isExact: true });
});

test('devices of a country that never connected are counted, within the scope', async () => {
  const never = { connectivity: 'never', country: 'PL' };
  expect(await estimate(never)).toEqual({ count: 1, isExact: true });
  expect(await estimate(never, ['PL'])).toEqual({ count: 1, isExact: true });
  expect(await estimate(never, ['DE'])).toEqual({ count: 0, isExact: true });
  expect(await estimate({ connectivity: 'never', country: 'DE' })).toEqual({
    count: 1_500,
    isExact: true,
  });
});

test('the rows of several queries are estimated by one statement as by one each', async () => {
  const { orm } = db.database;
  const all = sql`select 1 from device`;
  const none = sql`select 1 from device where false`;
  const polish = sql`select 1 from device where country = 'PL'`;
  const united = sql`(${all}) union all (${polish})`;
  const queries = [polish, all, none, united];
  const each = await Promise.all(queries.map((query) => estimateRows(orm, query)));
  expect(await estimateRowsOfEach(orm, queries)).toEqual(each);
  expect(new Set(each).size).toBe(queries.length);
});
