import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { upsertUsers } from '../../../src/access/data/user-sync-queries.ts';
import { upsertUser } from '../../../src/access/data/user-queries.ts';
import {
  inTransaction,
  openDatabase,
  type Database,
} from '../../../src/platform/database/database.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { seedPerson } from '../../cases/case-fixture.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

test.each(['Device Portal', 'Ana Weber'])(
  'a service token with the name %s is shown as a service token in the audit trail and in cases',
  async (name) => {
    const client = await ApiTokenClient.service(portal.url, admin, { name, roles: ['Support'] });
    const { id: personId } = await seedPerson(database, `Customer of ${name}`);
    const { body } = await client.post<OperationOutput<'openCase'>>('/cases', { personId });
    await client.post(`/cases/${body.id}/entries`, { text: 'a note' });
    const shown = `service-token:${name}`;
    expect(body.openedBy).toBe(shown);
    const { rows } = await database.orm.execute<{ actor: string }>(sql`
      select distinct actor from case_entry where case_id = ${body.id}`);
    expect(rows).toEqual([{ actor: shown }]);
    const events = (await admin.trail('case.opened')).filter(({ actor }) => actor.id === client.id);
    expect(events.map(({ actor }) => actor.name)).toEqual([shown]);
    // The token itself keeps its name.
    expect((await client.get('/token')).body).toMatchObject({ name });
  },
);

test.each(['service-token:nightly', 'Service-Token:nightly', 'ｓervice-token:nightly'])(
  'no user is invited with the username %s',
  async (identifier) => {
    const answer = await admin.order('access.users.invite', {
      ...{ identifier, contact: 'eve@example.com', roleIds: [] },
    });
    expect(answer).toMatchObject({ code: 2004, reason: 'identifier-invalid' });
  },
);

test('no user is invited with such a display name', async () => {
  const answer = await admin.order('access.users.invite', {
    ...{ identifier: 'eve@example.com', name: 'service-token:nightly', roleIds: [] },
  });
  expect(answer).toMatchObject({ code: 2004, reason: 'name-reserved' });
});

test('no user has such a name after a sign-in or a synchronization, whatever another system states', async () => {
  const facts = {
    ...{ subject: 'mallory-subject', email: 'mallory@example.com', phone: null },
    ...{ username: 'service-token:nightly', name: 'ＳERVICE-token:nightly' },
  };
  await upsertUser(database.orm, newId(), facts);
  await inTransaction(database, (tx) =>
    upsertUsers(tx, [{ ...facts, subject: 'mallory-2', email: null, username: 'mallory2' }]),
  );
  const { rows } = await database.orm.execute(sql`
    select username, name from portal_user where subject like 'mallory-%' order by subject`);
  expect(rows).toEqual([
    { username: 'mallory2', name: 'mallory2' },
    { username: 'mallory-subject', name: 'mallory-subject' },
  ]);
});
