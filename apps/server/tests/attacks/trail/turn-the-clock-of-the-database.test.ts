import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

/** An ended role would be in effect again, and a timeout would not occur. */
test.each([
  [
    'by replacing its function',
    `create or replace function portal_now(moment timestamptz default now()) returns timestamptz
       language sql stable return moment - interval '1 day'`,
    /must be owner|permission denied/,
  ],
  ['by altering it', 'alter function portal_now rename to portal_then', /must be owner/],
  ['by dropping it', 'drop function portal_now cascade', /must be owner/],
  [
    'by a function of another schema',
    `create schema own; create function own.portal_now() returns timestamptz language sql as 'select now()'`,
    /permission denied/,
  ],
])(
  "the server's role cannot change the clock of the database: %s",
  async (_how, statement, refusal) => {
    await expect(db.database.pool.query(statement)).rejects.toThrow(refusal);
  },
);

test('a temporary function does not replace it', async () => {
  const client = await db.database.pool.connect();
  try {
    await client.query(`create function pg_temp.portal_now() returns timestamptz language sql
      as $$ select timestamptz '2000-01-01' $$`);
    const { rows } = await client.query('select portal_now() = now() as true');
    expect(rows).toEqual([{ true: true }]);
  } finally {
    client.release(true);
  }
});
