import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiTokenPage } from '@deviceportal/contract/api-tokens';
import { publicOperations } from '@deviceportal/contract/public-api';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import { mutate, query } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  await seedDevices(database, [
    { serialNumber: 'MORE-DE', country: 'DE' },
    { serialNumber: 'MORE-FR', country: 'FR' },
  ]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const keyed = () => ({ 'idempotency-key': randomUUID() });
const run = (command: string, ...devices: readonly string[]) => ({
  ...{ command, devices, reason: 'an attack' },
});

test('a token that only reads is rejected by every operation that changes', async () => {
  const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Viewer'] });
  const id = randomUUID();
  const bodies: Readonly<Record<string, unknown>> = {
    createRun: run('logs/tail', 'MORE-DE'),
    openCase: { personId: id },
    addCaseEntry: { text: 'a note' },
    closeCase: { outcome: 'resolved' },
    createFileDownload: { path: '/etc/hosts', reason: 'an attack' },
    createImport: { kind: 'devices', fileName: 'devices.csv' },
  };
  const changing = Object.entries(publicOperations).filter(([, { method }]) => method === 'post');
  for (const [operation, { path }] of changing) {
    const answer = await client.post(
      path.replaceAll(/\{\w+\}/g, id),
      bodies[operation] ?? {},
      keyed(),
    );
    expect(answer, operation).toMatchObject({ status: 403, error: { code: 1000 } });
  }
});

test.each(['access.users.list', 'apiTokens.listOwn', 'session.get', 'devices.list'])(
  'a token is rejected by %s, whatever it may do',
  async (path) => {
    const { token } = await ApiTokenClient.service(portal.url, admin, {
      roles: ['Administrator'],
    });
    const answer = await query(portal.url, { path, token, confirms: false });
    expect(answer).toMatchObject({ status: 403, code: 1000, reason: 'api-token-elsewhere' });
  },
);

test('a token creates no token, passes no second step, and manages no user', async () => {
  const { token } = await ApiTokenClient.service(portal.url, admin, { roles: ['Administrator'] });
  for (const [path, input] of [
    ['apiTokens.createService', { name: 'child', roleIds: [randomUUID()] }],
    ['stepUp.sendCode', { channel: 'email' }],
    ['access.users.invite', { identifier: 'eve@example.com', roleIds: [] }],
  ] as const) {
    const answer = await mutate(portal.url, { path, input, token, confirms: false });
    expect(answer).toMatchObject({ status: 403, reason: 'api-token-elsewhere' });
  }
});

test('the token of an administrator’s service destroys nothing', async () => {
  const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Administrator'] });
  const answer = await client.post('/runs', run('factory-reset', 'MORE-DE'), keyed());
  expect(answer).toMatchObject({ status: 403, error: { code: 1000 } });
});

test('a role with a single command that destroys is stopped by the second step', async () => {
  await admin.createRole('Wipers', ['devices:read', 'commands:read', 'commands:run:factory-reset']);
  const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Wipers'] });
  const answer = await client.post('/runs', run('factory-reset', 'MORE-DE'), keyed());
  expect(answer).toMatchObject({
    ...{ status: 403, error: { code: 1000, reason: 'step-up-not-by-token' } },
  });
});

test('a token with a narrower scope than its owner sees and reaches nothing else', async () => {
  const permissions = ['devices:read', 'commands:read', 'commands:run:@reads'];
  const client = await ApiTokenClient.personal(portal.url, admin, {
    ...{ permissions, scope: { countries: ['DE'] } },
  });
  expect((await client.get('/devices')).body).toMatchObject({
    items: [{ serialNumber: 'MORE-DE' }],
  });
  expect(await client.get('/devices/MORE-FR')).toMatchObject({
    ...{ status: 404, error: { code: 6000 } },
  });
  expect(await client.post('/runs', run('logs/tail', 'MORE-FR'), keyed())).toMatchObject({
    ...{ status: 404, error: { code: 6000, reason: 'devices-not-found' } },
  });
  expect((await client.get('/search?q=MORE-FR')).body).toMatchObject({ groups: [] });
});

test('a manager of tokens assigns no role with more than they have', async () => {
  await admin.createRole('Token managers', ['access:read', 'api-tokens:manage', 'devices:read']);
  await admin.invite('tokens@example.com', 'Token managers');
  const manager = await AccessFixture.open(portal, 'tokens@example.com');
  const { id } = await admin.role('Support');
  expect(
    await manager.order('apiTokens.createService', { name: 'more', roleIds: [id] }),
  ).toMatchObject({ code: 1000, reason: 'permission-not-held' });
  const { rows } = await admin.read<ApiTokenPage>('apiTokens.list', {});
  expect(rows.filter(({ name }) => name === 'more')).toEqual([]);
});
