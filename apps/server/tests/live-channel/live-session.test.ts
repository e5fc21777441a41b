import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { until } from '../support/gateway-fixture.ts';
import { LiveClient } from '../support/live-client.ts';
import { mutate, signInForTokens } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

/** Changes of permissions take effect within seconds. */
const SOON_MS = 6_000;

let portal: TestServer;
let database: pg.Client;

beforeAll(async () => {
  portal = await startTestServer();
  database = new pg.Client({ connectionString: portal.installation.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await portal[Symbol.asyncDispose]();
});

async function seedDevice(country: string): Promise<string> {
  const id = newId();
  await database.query(
    `insert into device (id, name, lifecycle, serial_rank, country) values ($1::uuid, 'd', 'active', '~' || $1, $2)`,
    [id, country],
  );
  await database.query(
    `insert into device_status (device_id, name, lifecycle, country, connectivity)
     values ($1, 'd', 'active', $2, 'online')
     on conflict (device_id) do update set country = excluded.country, connectivity = 'online'`,
    [id, country],
  );
  return id;
}

async function openAs(person: string): Promise<{ live: LiveClient; accessToken: string }> {
  const tokens = await signInForTokens(portal.url, `${person}@deviceportal.local`);
  // The portal creates the user at the first call.
  await mutate(portal.url, { path: 'session.savePreferences', input: {}, token: tokens.IdToken });
  return {
    live: await LiveClient.open(portal.url, tokens.IdToken),
    accessToken: tokens.AccessToken,
  };
}

const idsOf = ({ changes }: LiveClient): string[] =>
  changes.flatMap((change) => (change.kind === 'device-status' ? [change.id] : []));

describe('the live channel of a real sign-in', () => {
  test('issues credentials to a guest that allow nothing', async () => {
    await expect(LiveClient.open(portal.url)).rejects.toThrow("Couldn't connect to server");
  });

  test('ends the connection within seconds after signing out everywhere', async () => {
    const { live, accessToken } = await openAs('auditor');
    await using _live = live;
    const id = await seedDevice('DE');
    await live.watch({ kind: 'devices', ids: [id] });
    await until(() => idsOf(live).includes(id));
    await fetch(`${portal.url}/identity`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'AWSCognitoIdentityProviderService.GlobalSignOut',
      },
      body: JSON.stringify({ AccessToken: accessToken }),
    });
    await until(() => !live.client.connected, SOON_MS);
  });

  test('ends the connection within seconds after a suspension', async () => {
    const { live } = await openAs('support');
    await using _live = live;
    const id = await seedDevice('DE');
    await live.watch({ kind: 'devices', ids: [id] });
    await until(() => idsOf(live).includes(id));
    await database.query(
      `update portal_user set status = 'Suspended' where username like 'support@%'`,
    );
    await until(() => !live.client.connected, SOON_MS);
  });

  test('applies another scope to an open connection: other devices are no longer sent', async () => {
    const { live } = await openAs('viewer');
    await using _live = live;
    const german = await seedDevice('DE');
    const french = await seedDevice('FR');
    await live.watch({ kind: 'devices', ids: [german, french] });
    await until(() => new Set(idsOf(live)).size === 2);
    await database.query(
      `update role set scope = '{"countries":["FR"],"models":[],"labels":{}}' where name = 'Viewer'`,
    );
    await new Promise((resolve) => {
      setTimeout(resolve, SOON_MS / 2);
    });
    live.changes.length = 0;
    await live.watch({ kind: 'devices', ids: [german, french] });
    await until(() => live.changes.length > 0);
    expect(idsOf(live)).toEqual([french]);
    expect(live.client.connected).toBe(true);
  });
});
