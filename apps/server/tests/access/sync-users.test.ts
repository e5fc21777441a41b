import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { ensureBuiltinRoles } from '../../src/access/data/ensure-builtin-roles.ts';
import { syncUsers } from '../../src/access/users/sync-users.ts';
import type {
  DirectoryAdministration,
  DirectoryEntry,
} from '../../src/access/users/user-directory.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await ensureBuiltinRoles(db);
});
afterAll(() => db[Symbol.asyncDispose]());

const entry = (username: string, enabled = true): DirectoryEntry => ({
  subject: `sub-${username}`,
  username,
  email: null,
  phone: null,
  name: username,
  enabled,
});

async function follow(users: readonly DirectoryEntry[], administrators: readonly string[]) {
  const administration = {
    roster: {
      kind: 'everybody',
      list: async (after: string | undefined) => (after === undefined ? users : []),
    },
    isEnabled: async (subject: string) =>
      users.some((user) => user.subject === subject && user.enabled),
  } as unknown as DirectoryAdministration;
  await syncUsers({
    database: db.database,
    directory: {
      administration,
      ensureUser: () => Promise.reject(new Error('unused')),
      groupsBySubject: async () =>
        new Map(administrators.map((name) => [`sub-${name}`, [ADMIN_GROUP]])),
    },
  });
}

async function onRecord(): Promise<Record<string, unknown>> {
  const { rows } = await db.database.orm.execute<{ username: string; facts: string }>(sql`
    select u.username, u.status || coalesce(' ' || r.name, '') as facts from portal_user u
    left join user_role ur on ur.user_id = u.id left join role r on r.id = ur.role_id`);
  return Object.fromEntries(rows.map(({ username, facts }) => [username, facts]));
}

test('applies changes made directly in the user pool', async () => {
  await follow([entry('ana'), entry('ben', false)], ['ana']);
  expect(await onRecord()).toEqual({ ana: 'Activated Administrator', ben: 'Suspended' });
  await follow([entry('ana'), entry('ben')], ['ben']);
  expect(await onRecord()).toEqual({ ana: 'Activated', ben: 'Activated Administrator' });
});

test('keeps the administrators when the group is empty', async () => {
  await follow([entry('ana'), entry('ben')], []);
  expect(await onRecord()).toMatchObject({ ben: 'Activated Administrator' });
});

test('keeps resigned users resigned, independent of the pool', async () => {
  await db.database.orm.execute(
    sql`update portal_user set status = 'Resigned' where username = 'ana'`,
  );
  await follow([entry('ana'), entry('ben')], ['ben']);
  expect(await onRecord()).toMatchObject({ ana: 'Resigned' });
});
