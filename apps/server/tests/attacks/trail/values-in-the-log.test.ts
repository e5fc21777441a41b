import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../../src/platform/logging.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

const SECRET = 'ann@example.com 123456';
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

/** What a log line contains about a failed statement. */
async function logged(fail: () => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  const logger = createLogger({ logLevel: 'warn' }, { write: (line) => void lines.push(line) });
  await fail().catch((error: unknown) => logger.warn({ err: error }, 'it failed'));
  return lines.join('');
}

test.each([
  ['a value that is of no such type', () => db.database.orm.execute(sql`select ${SECRET}::uuid`)],
  [
    'a row that is there already',
    async () => {
      const insert = () =>
        db.database.orm.execute(sql`insert into setting (key, value) values (${SECRET}, '1')`);
      await insert();
      await insert();
    },
  ],
  [
    'a statement over the pool',
    () => db.database.pool.query('select $1::int', [SECRET]) as Promise<unknown>,
  ],
  [
    'a value with line feeds',
    () => db.database.orm.execute(sql`select ${`${SECRET}\n    at ${SECRET}`}::uuid`),
  ],
])('a reader of the log does not see the values of a failed query: %s', async (_what, fail) => {
  const line = await logged(fail);
  expect(line).toContain('it failed');
  expect(line).toMatch(/"code":"2[23]/);
  expect(line).not.toContain('ann@example.com');
});
