import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PersonalKeys } from '../../src/personal-data/keys/personal-keys.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { testPersonalDataKey } from '../support/database/test-personal-data-key.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { act, eraseNow, seedUser, type SeededUser } from '../personal-data/seeded-people.ts';

let portal: TestDatabase;
let user: SeededUser;
let number = 0;

beforeAll(async () => {
  portal = await createTestDatabase();
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(async () => {
  number += 1;
  user = await seedUser(portal.database, `maria-${number}@example.com`);
  await act(portal.database, user);
});

const keyOf = async () =>
  (await portal.owner.pool.query('select * from person_key where person = $1', [user.id])).rows[0];

const newestName = async (): Promise<string> =>
  (
    await portal.owner.pool.query(
      'select actor_name from audit_event where actor_id = $1 order by id desc limit 1',
      [user.id],
    )
  ).rows[0]?.actor_name;

test("a sealed key kept by an insider cannot be restored with the server's database role", async () => {
  const kept = await keyOf();
  await eraseNow(portal.database, user);
  const { pool } = portal.database;
  const refused = /can be destroyed and nothing else/;
  await expect(
    pool.query('update person_key set sealed = $1, destroyed_at = null where id = $2', [
      kept.sealed,
      kept.id,
    ]),
  ).rejects.toThrow(refused);
  await expect(pool.query('delete from person_key where id = $1', [kept.id])).rejects.toThrow(
    refused,
  );
  await expect(pool.query('truncate person_key')).rejects.toThrow(
    /permission denied|must be owner|nothing else/,
  );
});

test('a delayed write cannot restore an erased name', async () => {
  await eraseNow(portal.database, user);
  await act(portal.database, user);
  expect(await newestName()).toMatch(/^erased-/);
  await portal.database.pool.query(
    `update portal_user set username = $2, name = $2, email = $2, status = 'Activated' where id = $1`,
    [user.id, user.username],
  );
  const { rows } = await portal.database.pool.query(
    'select username, name, email, status from portal_user where id = $1',
    [user.id],
  );
  expect(rows).toEqual([
    {
      ...{ username: expect.stringMatching(/^erased-/), name: expect.stringMatching(/^erased-/) },
      ...{ email: null, status: 'Archived' },
    },
  ]);
});

test('a transaction in progress during the erasure leaves nothing readable', async () => {
  let erased: Promise<void> | undefined;
  await inTransaction(portal.database, async (tx) => {
    await act({ ...portal.database, orm: portal.database.orm }, user);
    erased = eraseNow(portal.database, user);
    await tx.execute('select pg_sleep(0.05)');
  });
  await erased;
  await act(portal.database, user);
  const { rows } = await portal.owner.pool.query<{ text: string }>(
    'select e::text as text from audit_event e where actor_id = $1',
    [user.id],
  );
  expect(rows.map(({ text }) => text).join('\n')).not.toContain(user.username);
});

test('another process that has cached the key can read the name for at most ten seconds', async () => {
  let now = Date.now();
  const other = new PersonalKeys(testPersonalDataKey, portal.database.orm, () => now);
  const name = await newestName();
  expect((await other.open(portal.database.orm, [name])).get(name)).toBe(user.username);
  await eraseNow(portal.database, user);
  now += 10_001;
  expect((await other.open(portal.database.orm, [name])).get(name)).toMatch(/^erased-/);
});

test('a user without sealed records gets no key after the erasure', async () => {
  const silent = await seedUser(portal.database, `silent-${number}@example.com`);
  await eraseNow(portal.database, silent);
  await act(portal.database, silent);
  user = silent;
  expect(await keyOf()).toMatchObject({ sealed: null });
  expect(await newestName()).toMatch(/^erased-/);
});
