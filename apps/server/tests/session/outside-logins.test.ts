import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import type { AuditExport } from '@deviceportal/contract/audit-trail';
import { everywhere } from '@deviceportal/contract/permissions';
import { newId } from '@deviceportal/contract/ids';
import {
  openExternalProvider,
  type ExternalPerson,
  type ExternalProvider,
} from '../support/external-provider.ts';
import { until } from '../support/gateway-fixture.ts';
import { getCloudCredentials, LiveClient, signPath } from '../support/live-client.ts';
import { mutate } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const SOON_MS = 6_000;
const OPERATOR = 'operator@deviceportal.local';
const SESSION_MINUTES = 30;

const admin: ExternalPerson = {
  id: '64f0c0ffee0123456789abcd',
  email: 'li@corp.example',
  phone: '13800138000',
  name: 'Li',
  roles: [ADMIN_GROUP],
};
const person = (name: string, roles: readonly string[]): ExternalPerson => ({
  ...admin,
  id: `u-${name}`,
  email: `${name}@corp.example`,
  roles,
});
const suspended = person('wu', [ADMIN_GROUP]);
const stranger = person('xu', []);

async function connectTo(server: TestServer): Promise<pg.Client> {
  const database = new pg.Client({ connectionString: server.installation.databaseUrl });
  await database.connect();
  return database;
}

async function seedDevice(database: pg.Client): Promise<string> {
  const id = newId();
  await database.query(
    `insert into device (id, name, lifecycle, serial_rank) values ($1::uuid, 'd', 'active', '~' || $1)`,
    [id],
  );
  await database.query(
    `insert into device_status (device_id, name, lifecycle, connectivity)
     values ($1, 'd', 'active', 'online') on conflict (device_id) do update set connectivity = 'online'`,
    [id],
  );
  return id;
}

const hears = (live: LiveClient, id: string): boolean =>
  live.changes.some((change) => change.kind === 'device-status' && change.id === id);

async function exportOf(server: TestServer, token: string): Promise<string> {
  const input = { filter: {}, format: 'csv' };
  const answer = await mutate(server.url, { path: 'auditTrail.export', input, token });
  return `/exports/${(answer.data as AuditExport).fileName}`;
}

/** Gives a user who has signed in a role for the devices of one country. */
async function letReadOneCountry(
  database: pg.Client,
  { username, country }: { readonly username: string; readonly country: string },
): Promise<void> {
  const role = newId();
  const scope = JSON.stringify({ ...everywhere, countries: [country] });
  await database.query(
    `insert into role (id, name, permissions, scope) values ($1, 'one country', '["devices:read"]', $2)`,
    [role, scope],
  );
  await database.query(
    `insert into user_role (user_id, role_id) select id, $1 from portal_user where username = $2`,
    [role, username],
  );
}

describe('sign-ins of an external provider', () => {
  let provider: ExternalProvider;
  let server: TestServer;
  let database: pg.Client;
  beforeAll(async () => {
    provider = await openExternalProvider([admin, suspended, stranger]);
    server = await startTestServer([], {
      DEVICEPORTAL_REGION: 'cn-north-1',
      DEVICEPORTAL_SESSION_DURATION_MINUTES: String(SESSION_MINUTES),
      DEVICEPORTAL_AUTHING_APP_ID: provider.appId,
      DEVICEPORTAL_AUTHING_HOST: provider.host,
      DEVICEPORTAL_AUTHING_ISSUER: provider.issuer,
      DEVICEPORTAL_AUTHING_KEY_SET_URL: provider.keySetUrl,
    });
    database = await connectTo(server);
  });
  afterAll(async () => {
    await database.end();
    await server[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
  });

  test('open the live channel and file links with the permissions of the role code, before any other call', async () => {
    const token = await provider.idToken(admin);
    const id = await seedDevice(database);
    await using live = await LiveClient.open(server.url, token);
    await live.watch({ kind: 'devices', ids: [id] });
    await until(() => hears(live, id), SOON_MS);
    const path = await exportOf(server, token);
    const { Credentials: keys } = await getCloudCredentials(server.url, token);
    const link = await signPath(server.url, { keys, path });
    expect((await fetch(`${server.url}${link}`)).status).toBe(200);
    const { Credentials: others } = await getCloudCredentials(
      server.url,
      await provider.idToken(stranger),
    );
    const stolen = await signPath(server.url, { keys: others, path });
    expect((await fetch(`${server.url}${stolen}`)).status).toBe(404);
  });

  test('give each user one permanent identity', async () => {
    const [first, again, other] = await Promise.all(
      [admin, admin, stranger].map(async (who) =>
        getCloudCredentials(server.url, await provider.idToken(who, { nonce: newId() })),
      ),
    );
    expect(again?.IdentityId).toBe(first?.IdentityId);
    expect(other?.IdentityId).not.toBe(first?.IdentityId);
  });

  test('lose open channels, links, and credentials when the user is suspended in the portal', async () => {
    const token = await provider.idToken(suspended);
    const id = await seedDevice(database);
    await using live = await LiveClient.open(server.url, token);
    await live.watch({ kind: 'devices', ids: [id] });
    await until(() => hears(live, id), SOON_MS);
    const path = await exportOf(server, token);
    const { Credentials: keys } = await getCloudCredentials(server.url, token);
    const link = await signPath(server.url, { keys, path });
    await database.query(`update portal_user set status = 'Suspended' where subject = $1`, [
      suspended.id,
    ]);
    await until(() => !live.client.connected, SOON_MS);
    expect((await fetch(`${server.url}${link}`)).status).not.toBe(200);
    const anew = await provider.idToken(suspended, { nonce: newId() });
    await until(async () => {
      const outcome = await getCloudCredentials(server.url, anew).catch(String);
      return String(outcome).includes('NotAuthorizedException');
    }, SOON_MS);
  });

  test.each([
    ['for another application', { aud: 'another-app' }],
    ['of another issuer', { iss: 'http://127.0.0.1:1/oidc' }],
    ['that is an access token', { scope: 'openid profile' }],
    ['of a sign-in longer ago than a session lasts', { auth_time: 1 }],
  ])('get nothing with a token %s', async (_what, claims) => {
    const token = await provider.idToken(admin, claims);
    const bare = provider.issuer.replace('http://', '');
    await expect(getCloudCredentials(server.url, token, bare)).rejects.toThrow(
      'NotAuthorizedException',
    );
  });

  test('get nothing with an expired token', async () => {
    provider.settings.tokenSeconds = -60;
    const token = await provider.idToken(admin);
    provider.settings.tokenSeconds = 3_600;
    await expect(getCloudCredentials(server.url, token)).rejects.toThrow('NotAuthorizedException');
  });

  test('get nothing with a valid token under the name of another provider', async () => {
    const token = await provider.idToken(admin);
    await expect(getCloudCredentials(server.url, token, 'accounts.example')).rejects.toThrow(
      'Token is not from a supported provider',
    );
  });

  test('get credentials that expire with the session', async () => {
    const authTime = Math.floor(Date.now() / 1_000) - 20 * 60;
    const token = await provider.idToken(admin, { auth_time: authTime });
    const { Credentials } = await getCloudCredentials(server.url, token);
    expect(Credentials.Expiration).toBe(authTime + SESSION_MINUTES * 60);
  });

  test.each(['AWSCognitoIdentityProviderService.InitiateAuth', ''])(
    'are accepted only by the identity pool, not by "%s"',
    async (target) => {
      const reply = await fetch(`${server.url}/identity`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target },
        body: '{}',
      });
      expect(reply.status).toBe(400);
      expect(await reply.text()).toContain('UnknownOperationException');
    },
  );

  test("can be retried while the provider does not return the user's roles", async () => {
    const { host, keySetUrl } = provider;
    await using other = await startTestServer([], {
      DEVICEPORTAL_PROVIDER_SET: 'authing',
      DEVICEPORTAL_AUTHING_APP_ID: provider.appId,
      DEVICEPORTAL_AUTHING_HOST: host.replace(/\d+$/, '1'),
      DEVICEPORTAL_AUTHING_ISSUER: provider.issuer,
      DEVICEPORTAL_AUTHING_KEY_SET_URL: keySetUrl,
    });
    await expect(getCloudCredentials(other.url, await provider.idToken(admin))).rejects.toThrow(
      'ExternalServiceException',
    );
  });
});

describe('sign-ins of a hosted user pool', () => {
  let pool: TestServer;
  let server: TestServer;
  beforeAll(async () => {
    // A pool on another machine: the portal knows only its URL, id, and client.
    pool = await startTestServer();
    server = await startTestServer([], {
      DEVICEPORTAL_REGION: 'eu-central-1',
      DEVICEPORTAL_USER_POOL: 'us-east-1_DevicePortal',
      DEVICEPORTAL_USER_POOL_CLIENT_ID: 'deviceportalweb',
      DEVICEPORTAL_USER_POOL_ENDPOINT: `${pool.url}/identity`,
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await pool[Symbol.asyncDispose]();
  });

  test("open the live channel with the permissions of their groups, under the issuer's name or that of AWS", async () => {
    const database = await connectTo(server);
    const token = await pool.signIn('admin');
    const id = await seedDevice(database);
    await database.end();
    await using live = await LiveClient.open(server.url, token);
    await live.watch({ kind: 'devices', ids: [id] });
    await until(() => hears(live, id), SOON_MS);
    const named = await getCloudCredentials(
      server.url,
      token,
      'cognito-idp.us-east-1.amazonaws.com/us-east-1_DevicePortal',
    );
    expect(named.IdentityId).toBe(live.identityId);
    expect(named.IdentityId).toMatch(/^eu-central-1:/);
  });

  test("are rejected by the pool's own portal if they come from elsewhere", async () => {
    const provider = await openExternalProvider([admin]);
    const token = await provider.idToken(admin);
    await expect(getCloudCredentials(pool.url, token)).rejects.toThrow('NotAuthorizedException');
    await provider[Symbol.asyncDispose]();
  });
});

/** The status with which a server answers a WebSocket request that it rejects. */
async function upgradeAnswerOf(url: string): Promise<number | undefined> {
  const asked = request(url, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-version': '13',
      'sec-websocket-protocol': 'mqtt',
    },
  }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe('sign-ins of a hosted user pool with a hosted identity pool', () => {
  let pool: TestServer;
  let server: TestServer;
  beforeAll(async () => {
    pool = await startTestServer();
    server = await startTestServer([], {
      DEVICEPORTAL_REGION: 'eu-central-1',
      DEVICEPORTAL_USER_POOL: 'us-east-1_DevicePortal',
      DEVICEPORTAL_USER_POOL_CLIENT_ID: 'deviceportalweb',
      DEVICEPORTAL_USER_POOL_ENDPOINT: `${pool.url}/identity`,
      DEVICEPORTAL_IDENTITY_POOL: 'us-east-1:6d1f4c1e-8a53-4c57-9d2f-0b7a5e3c9f10',
      DEVICEPORTAL_IDENTITY_POOL_ENDPOINT: `${pool.url}/identity`,
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await pool[Symbol.asyncDispose]();
  });

  test('open the live channel, which shows an operator only the devices within the scope of a role', async () => {
    const database = await connectTo(server);
    const [own, other] = [await seedDevice(database), await seedDevice(database)];
    await using everything = await LiveClient.open(server.url, await pool.signIn('admin'));
    const operator = await pool.signIn('operator');
    await getCloudCredentials(server.url, operator);
    await letReadOneCountry(database, { username: OPERATOR, country: 'DE' });
    await database.query(`update device set country = 'DE' where id = $1`, [own]);
    await using scoped = await LiveClient.open(server.url, operator);
    for (const live of [everything, scoped])
      await live.watch({ kind: 'devices', ids: [own, other] });
    await until(() => hears(everything, other) && hears(scoped, own), SOON_MS);
    expect(hears(scoped, other)).toBe(false);
    await database.query(`update portal_user set status = 'Suspended' where username = $1`, [
      OPERATOR,
    ]);
    await until(() => !scoped.client.connected, SOON_MS);
    expect(everything.client.connected).toBe(true);
    await database.end();
  });

  test('are rejected by the live channel with a signature of the hosted pool, which only the pool can verify', async () => {
    const { Credentials: keys } = await getCloudCredentials(pool.url, await pool.signIn('admin'));
    const path = await signPath(server.url, { keys, path: '/mqtt' });
    expect(await upgradeAnswerOf(server.url + path)).toBe(403);
  });
});
