import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SessionDetail } from '@deviceportal/contract/session';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let stranger: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 1 });
  const admin = await AccessFixture.open(portal, 'admin');
  await admin.invite('stranger@example.com');
  stranger = await AccessFixture.open(portal, 'stranger@example.com');
  await stranger.read('session.get');
  // As created by a directory or another application of the provider: not admitted by an administrator.
  await database.orm.execute(
    sql`update portal_user set admitted_at = null where email = 'stranger@example.com'`,
  );
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

test('a stranger who signed in cannot read roles and permissions, or request a role', async () => {
  const roleId = '00000000-0000-7000-8000-000000000001';
  const asked = { roleId, scope: {}, reason: 'because', minutes: 60, caseId: null };
  const answers = await Promise.all([
    stranger.ask('access.accessGrants.offers'),
    stranger.ask('access.accessGrants.list', {}),
    stranger.order('access.accessGrants.ask', asked),
    stranger.ask('search.find', { text: 'a' }),
    stranger.ask('notifications.list', {}),
    stranger.ask('devices.listViews', { screen: 'devices' }),
    stranger.ask('explanations.explain', {}),
  ]);
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 1000));
  const session = await stranger.read<SessionDetail>('session.get');
  expect(session).toMatchObject({ admitted: false, roles: [], grants: [] });
});

test('a user whom an administrator invited without a role can request one', async () => {
  const admin = await AccessFixture.open(portal, 'admin');
  await admin.invite('invited@example.com');
  const invited = await AccessFixture.open(portal, 'invited@example.com');
  expect((await invited.read<SessionDetail>('session.get')).admitted).toBe(true);
  expect((await invited.ask('access.accessGrants.offers')).status).toBe(200);
  expect((await invited.ask('search.find', { text: 'a' })).code).toBe(1000);
});
