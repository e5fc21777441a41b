import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiTokenPage } from '@deviceportal/contract/api-tokens';
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

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  await seedDevices(database, [
    { serialNumber: 'KEEP-DE', country: 'DE', connectivity: 'offline' },
    { serialNumber: 'KEEP-FR', country: 'FR', connectivity: 'offline' },
  ]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

/** Replaces what a role allows. */
async function edit(name: string, permissions: readonly string[], scope: object = {}) {
  const { id, updatedAt } = await admin.role(name);
  await admin.done('access.roles.edit', {
    ...{ id, name, description: '', permissions, scope, basedOn: updatedAt },
  });
}

test('a service token ends with the access of its creator, and stays ended when they are restored', async () => {
  await admin.createRole('Builders', ['access:read', 'api-tokens:manage', 'devices:read']);
  await admin.createRole('Readers', ['devices:read']);
  const { id } = await admin.invite('builder@example.com', 'Builders');
  const builder = await AccessFixture.open(portal, 'builder@example.com');
  const readers = await admin.role('Readers');
  const made = await builder.done<{ id: string; token: string }>('apiTokens.createService', {
    ...{ name: 'built', roleIds: [readers.id] },
  });
  const client = new ApiTokenClient(portal.url, made);
  const other = await ApiTokenClient.service(portal.url, admin, { roles: ['Readers'] });
  expect((await client.get('/devices')).status).toBe(200);
  for (const act of ['suspend', 'restore']) {
    await admin.done('access.users.changeStatus', { id, act, reason: 'leaves' });
    expect(await client.get('/devices')).toMatchObject({ status: 401, error: { code: 2001 } });
  }
  const { rows } = await admin.read<ApiTokenPage>('apiTokens.list', { active: false });
  expect(rows.find((row) => row.id === client.id)?.state).toBe('owner-inactive');
  expect((await other.get('/devices')).status).toBe(200);
});

test('a service token gains nothing when its role gets permissions or a wider scope', async () => {
  await admin.createRole('Growing', ['devices:read'], { countries: ['DE'] });
  const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Growing'] });
  await edit('Growing', ['devices:read', 'commands:read']);
  expect(await client.get('/runs')).toMatchObject({ status: 403, error: { code: 1000 } });
  const { body } = await client.get<OperationOutput<'listDevices'>>('/devices');
  expect(body.items.map(({ serialNumber }) => serialNumber)).toEqual(['KEEP-DE']);
});

test('a role that is moved to other devices leaves a service token none', async () => {
  await admin.createRole('Moving', ['devices:read'], { countries: ['DE'] });
  const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Moving'] });
  await edit('Moving', ['devices:read'], { countries: ['FR'] });
  expect(await client.get('/devices')).toMatchObject({ status: 403, error: { code: 1000 } });
});

test('a queued command of a service is denied where its role no longer reaches, and only there', async () => {
  const permissions = ['devices:read', 'commands:read', 'commands:run:@reads'];
  await admin.createRole('Senders', permissions);
  const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Senders'] });
  const { body, status } = await client.post<OperationOutput<'createRun'>>(
    '/runs',
    { command: 'logs/tail', devices: ['KEEP-DE', 'KEEP-FR'], reason: 'later' },
    { 'idempotency-key': randomUUID() },
  );
  expect(status).toBe(201);
  const denied = () =>
    inTransaction(database, async (tx) => (await findUnpermitted(tx, body.id, 'unsent')).length);
  expect(await denied()).toBe(0);
  await edit('Senders', permissions, { countries: ['DE'] });
  expect(await denied()).toBe(1);
  await edit('Senders', ['devices:read', 'commands:read']);
  expect(await denied()).toBe(2);
});

test('a service token without any permission of the API is not created', async () => {
  await admin.createRole('Access readers', ['access:read']);
  const { id } = await admin.role('Access readers');
  expect(
    await admin.order('apiTokens.createService', { name: 'empty', roleIds: [id] }),
  ).toMatchObject({ code: 2004, reason: 'api-token-without-permissions' });
});

test('the audit trail states how many service tokens a changed role has', async () => {
  await admin.createRole('Counted', ['devices:read']);
  await ApiTokenClient.service(portal.url, admin, { roles: ['Counted'] });
  await edit('Counted', ['devices:read', 'commands:read']);
  const { id } = await admin.role('Counted');
  await admin.done('access.roles.delete', { id });
  const trail = await admin.trail('access.role-edited', 'access.role-deleted');
  const counts = trail
    .filter(({ data }) => data['role'] === 'Counted')
    .map(({ data }) => [data['users'], data['serviceTokens']]);
  expect(counts).toEqual([
    [0, 1],
    [0, 1],
  ]);
});
