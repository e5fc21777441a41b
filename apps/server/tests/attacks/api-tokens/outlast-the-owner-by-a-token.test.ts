import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnApiTokens } from '@deviceportal/contract/api-tokens';
import type { OperationOutput } from '@deviceportal/contract/public-api';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  await admin.createRole('Germany', ['devices:read', 'api-tokens:create'], { countries: ['DE'] });
  await seedDevices(database, [
    { serialNumber: 'OWNER-DE', country: 'DE', connectivity: 'offline' },
    { serialNumber: 'OWNER-FR', country: 'FR', connectivity: 'offline' },
  ]);
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

/** A user with roles and a token that reads devices. */
async function owner(name: string, ...roles: readonly string[]) {
  const user = await admin.invite(`${name}@example.com`, ...roles);
  const person = await AccessFixture.open(portal, `${name}@example.com`);
  const client = await ApiTokenClient.personal(portal.url, person, {
    permissions: ['devices:read'],
  });
  return { user, person, client };
}

const setStatus = (id: string, act: string) =>
  admin.done('access.users.changeStatus', { id, act, reason: 'leaves' });

const rejected = { status: 401, error: { code: 2001 } };

test('a token ends when its owner is suspended, and stays ended when they are restored', async () => {
  const { user, client, person } = await owner('suspended', 'Support');
  expect((await client.get('/devices')).status).toBe(200);
  await setStatus(user.id, 'suspend');
  expect(await client.get('/devices')).toMatchObject(rejected);
  await setStatus(user.id, 'restore');
  expect(await client.get('/devices')).toMatchObject(rejected);
  const again = await AccessFixture.open(portal, 'suspended@example.com');
  const { tokens } = await again.read<OwnApiTokens>('apiTokens.listOwn');
  expect(tokens).toMatchObject([{ id: client.id, state: 'owner-inactive' }]);
  expect((await person.ask('session.get')).code).toBe(2001);
});

test('a token ends when its owner is disabled in the user pool only', async () => {
  const { user, client } = await owner('disabled', 'Support');
  await database.orm.execute(sql`
    update identity.pool_user set enabled = false
    where sub = (select subject::uuid from portal_user where id = ${user.id})`);
  expect(await client.get('/devices')).toMatchObject(rejected);
});

test('a token ends when it expires', async () => {
  const { client } = await owner('expired', 'Support');
  await database.orm.execute(
    sql`update api_token set expires_at = portal_now() - interval '1 second' where id = ${client.id}`,
  );
  expect(await client.get('/devices')).toMatchObject(rejected);
});

test('a token has the scope that its owner has now, not the one at its creation', async () => {
  const { user, client } = await owner('shrinking', 'Support', 'Germany');
  const countries = async () =>
    (await client.get<OperationOutput<'listDevices'>>('/devices')).body.items
      .map(({ country }) => country)
      .toSorted();
  expect(await countries()).toEqual(['DE', 'FR']);
  const { id } = await admin.role('Support');
  await admin.done('access.users.changeRoles', { id: user.id, add: [], remove: [id] });
  expect(await countries()).toEqual(['DE']);
});

test('a token is of no use after its owner lost the right to have tokens', async () => {
  const { user, client } = await owner('without', 'Support');
  const [support, viewer] = [await admin.role('Support'), await admin.role('Viewer')];
  await admin.done('access.users.changeRoles', {
    ...{ id: user.id, add: [viewer.id], remove: [support.id] },
  });
  expect(await client.get('/devices')).toMatchObject({ status: 403, error: { code: 1000 } });
});

test('a token that is revoked while its request is in progress starts nothing more', async () => {
  const { client, person } = await owner('midway', 'Support');
  const asked = Array.from({ length: 20 }, () => client.get('/devices'));
  await person.done('apiTokens.revoke', { id: client.id });
  const statuses = new Set((await Promise.all(asked)).map(({ status }) => status));
  expect([...statuses].every((status) => status === 200 || status === 401)).toBe(true);
  expect(await client.get('/devices')).toMatchObject(rejected);
});

const runs = ['devices:read', 'commands:read', 'commands:run:@reads'];
const clients = {
  personal: () => ApiTokenClient.personal(portal.url, admin, { permissions: runs }),
  service: () => ApiTokenClient.service(portal.url, admin, { roles: ['Support'] }),
};

test.each(['personal', 'service'] as const)(
  'commands that a %s token has queued do not run after it is revoked',
  async (kind) => {
    const client = await clients[kind]();
    await database.orm.execute(sql`
    update device_status set connectivity = 'offline' where device_id in (
      select id from device where serial_number = 'OWNER-DE')`);
    const { status, body } = await client.post<OperationOutput<'createRun'>>(
      '/runs',
      { command: 'logs/tail', devices: ['OWNER-DE'], reason: 'later' },
      { 'idempotency-key': randomUUID() },
    );
    expect(status).toBe(201);
    await admin.done('apiTokens.revoke', { id: client.id });
    await database.orm.execute(sql`
    update device_status set connectivity = 'online' where device_id in (
      select id from device where serial_number = 'OWNER-DE')`);
    await expect
      .poll(
        async () =>
          (
            await admin.read<{ state: string; statusDetails: string }>('commands.getRun', {
              id: body.id,
            })
          ).statusDetails,
        { timeout: 20_000 },
      )
      .toBe('Access Denied');
  },
);
