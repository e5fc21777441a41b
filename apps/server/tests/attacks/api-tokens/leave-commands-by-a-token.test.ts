import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { findUnpermitted } from '../../../src/commands/data/execution/find-unpermitted.ts';
import {
  inTransaction,
  openDatabase,
  type Database,
} from '../../../src/platform/database/database.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let admin: AccessFixture;

const runs = ['devices:read', 'commands:read', 'commands:run:@reads'];

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  await admin.createRole('Runs', runs);
  await admin.createRole('Runs in Germany', runs, { countries: ['DE'] });
  await admin.createRole('Tokens', ['api-tokens:create']);
  await seedDevices(database, [
    { serialNumber: 'LEFT-DE', country: 'DE', connectivity: 'offline' },
    { serialNumber: 'LEFT-FR', country: 'FR', connectivity: 'offline' },
  ]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

/** Queues a command on both devices by a token of a new user with these roles. */
async function queued(mailbox: string, ...roles: readonly string[]) {
  const user = await admin.invite(`${mailbox}@example.com`, ...roles);
  const owner = await AccessFixture.open(portal, `${mailbox}@example.com`);
  const client = await ApiTokenClient.personal(portal.url, owner, { permissions: runs });
  const { status, body } = await client.post<OperationOutput<'createRun'>>(
    '/runs',
    { command: 'logs/tail', devices: ['LEFT-DE', 'LEFT-FR'], reason: 'later' },
    { 'idempotency-key': randomUUID() },
  );
  expect(status).toBe(201);
  expect(await denied(body.id)).toBe(0);
  return { user, owner, client, runId: body.id };
}

const denied = (runId: string): Promise<number> =>
  inTransaction(database, async (tx) => (await findUnpermitted(tx, runId, 'unsent')).length);

async function changeRoles(
  id: string,
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
) {
  const idsOf = (names: readonly string[]) =>
    Promise.all(names.map(async (name) => (await admin.role(name)).id));
  await admin.done('access.users.changeRoles', {
    ...{ id, add: await idsOf(add), remove: await idsOf(remove) },
  });
}

test('commands of a personal token are denied after it is revoked', async () => {
  const { owner, client, runId } = await queued('revokes', 'Runs', 'Tokens');
  await owner.done('apiTokens.revoke', { id: client.id });
  expect(await denied(runId)).toBe(2);
});

test('commands of a personal token are denied after it has expired', async () => {
  const { client, runId } = await queued('expires', 'Runs', 'Tokens');
  await database.orm.execute(
    sql`update api_token set expires_at = portal_now() - interval '1 second' where id = ${client.id}`,
  );
  expect(await denied(runId)).toBe(2);
});

test('commands of a personal token are denied where its owner can no longer run them', async () => {
  const { user, runId } = await queued('moves', 'Runs', 'Tokens');
  await changeRoles(user.id, { add: ['Runs in Germany'], remove: ['Runs'] });
  expect(await denied(runId)).toBe(1);
  await changeRoles(user.id, { remove: ['Runs in Germany'] });
  expect(await denied(runId)).toBe(2);
});

test('commands of a personal token are denied where the token does not reach', async () => {
  const { client, runId } = await queued('narrows', 'Runs', 'Tokens');
  await database.orm.execute(sql`
    update api_token set scope = jsonb_set(scope, '{countries}', '["FR"]') where id = ${client.id}`);
  expect(await denied(runId)).toBe(1);
});

test('commands of a personal token are denied after its owner lost the right to have tokens', async () => {
  const { user, runId } = await queued('without', 'Runs', 'Tokens');
  await changeRoles(user.id, { remove: ['Tokens'] });
  expect(await denied(runId)).toBe(2);
});

test('what the owner runs in a session does not depend on the token', async () => {
  const { owner, client, runId } = await queued('stays', 'Runs', 'Tokens');
  await database.orm.execute(sql`update command_run set api_token_id = null where id = ${runId}`);
  await owner.done('apiTokens.revoke', { id: client.id });
  expect(await denied(runId)).toBe(0);
});
