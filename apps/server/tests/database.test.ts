import { sql } from 'drizzle-orm';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { identityMigrations } from '../src/compose/identity-migrations.ts';
import { inTransaction, openDatabase } from '../src/platform/database/database.ts';
import {
  migrateDatabase,
  readMigrationVersion,
} from '../src/platform/database/migrate-database.ts';
import { freezePublicUrl } from '../src/platform/freeze-setting.ts';
import { createTestDatabase, type TestDatabase } from './support/database/create-test-database.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterAll(() => testDatabase[Symbol.asyncDispose]());

test('[database-9] several servers that start at once on an empty database all find it migrated', async () => {
  await using empty = await createTestDatabase({ empty: true });
  const starts = [1, 2, 3].map(() => migrateDatabase(empty.database, identityMigrations));
  await Promise.all(starts);
  const expected = await readMigrationVersion(testDatabase.database.pool);
  expect(await readMigrationVersion(empty.database.pool)).toBe(expected);
});

test('[database-10] work that throws leaves nothing behind', async () => {
  const { database } = testDatabase;
  const work = inTransaction(database, async (tx) => {
    await tx.execute(sql`insert into setting (key, value) values ('half', '1')`);
    throw new Error('on the way');
  });
  await expect(work).rejects.toThrow('on the way');
  const { rows } = await database.pool.query("select from setting where key = 'half'");
  expect(rows).toEqual([]);
});

test('[database-11] counts arrive as numbers', async () => {
  const { rows } = await testDatabase.database.pool.query('select count(*) as count from setting');
  expect(rows).toEqual([{ count: expect.any(Number) }]);
});

test('[database-12] a connection that breaks in the middle of a transaction fails that work, not the process', async () => {
  const { database } = testDatabase;
  const work = inTransaction(database, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    await tx.execute(sql`select pg_sleep(5)`);
  });
  await expect(work).rejects.toThrow('Failed query');
  const { rows } = await database.pool.query('select 1 as one');
  expect(rows).toEqual([{ one: 1 }]);
});

test('[database-14] a connection that has ended when a transaction begins is given back: the next one works, and a stop does not wait', async () => {
  await using database = openDatabase({ url: testDatabase.url, maxConnections: 1 });
  const breakOnce = (client: pg.PoolClient) =>
    void (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  database.pool.once('acquire', breakOnce);
  await expect(inTransaction(database, (tx) => tx.execute(sql`select 1`))).rejects.toThrow('begin');
  const { rows } = await inTransaction(database, (tx) => tx.execute(sql`select 2 as two`));
  expect(rows).toEqual([{ two: 2 }]);
});

test('[public-url-1] the first start freezes it, another port keeps it, another URL is refused', async () => {
  const { database } = testDatabase;
  const none = { publicUrl: undefined };
  expect(await freezePublicUrl(database, { ...none, port: 8080 })).toBe('http://localhost:8080');
  expect(await freezePublicUrl(database, { ...none, port: 9090 })).toBe('http://localhost:8080');
  const other = { publicUrl: 'https://portal.example', port: 8080 };
  await expect(freezePublicUrl(database, other)).rejects.toThrow(
    /^--public-url \(DEVICEPORTAL_PUBLIC_URL\) is https:\/\/portal\.example, but .*http:\/\/localhost:8080/,
  );
});
