import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { StartError } from '../../src/platform/process/start-error.ts';
import { openSharedChangeFeed } from '../../src/platform/shared-change-feed.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { hasPgBouncer, startPgBouncer } from '../support/pg-bouncer.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

if (!hasPgBouncer)
  process.stdout.write('Skipped: the test of poolers needs the program pgbouncer.\n');

async function openThrough(mode: 'transaction' | 'session'): Promise<void> {
  await using pooler = await startPgBouncer({ url: db.url, mode });
  await using database = openDatabase({ url: pooler.url, maxConnections: 4 });
  const feed = await openSharedChangeFeed({
    local: createLocalChangeFeed(() => {}),
    database,
    onError: () => {},
  });
  await feed[Symbol.asyncDispose]();
}

test.skipIf(!hasPgBouncer)(
  'a pooler in transaction mode is rejected with one line that names the cause',
  async () => {
    const refused = openThrough('transaction');
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(
      /does not deliver notifications \(LISTEN\).*session mode/,
    );
  },
);

test.skipIf(!hasPgBouncer)('a pooler in session mode is accepted', async () => {
  await openThrough('session');
});
