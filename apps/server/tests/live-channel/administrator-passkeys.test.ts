import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../../../packages/identity/tests/support/software-authenticator.ts';
import { until } from '../support/gateway-fixture.ts';
import { LiveClient } from '../support/live-client.ts';
import { mutate, query } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

/** Changes of permissions take effect within seconds. */
const SOON_MS = 6_000;

let portal: TestServer;
let database: pg.Client;
beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_ADMINISTRATOR_PASSKEYS: 'on' });
  database = new pg.Client({ connectionString: portal.installation.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await portal[Symbol.asyncDispose]();
});

async function seedDevice(): Promise<string> {
  const id = newId();
  await database.query(
    `insert into device (id, name, lifecycle, serial_rank, country) values ($1::uuid, 'd', 'active', '~' || $1, 'DE')`,
    [id],
  );
  await database.query(
    `insert into device_status (device_id, name, lifecycle, country, connectivity)
     values ($1, 'd', 'active', 'DE', 'online')
     on conflict (device_id) do update set connectivity = 'online'`,
    [id],
  );
  return id;
}

const idsOf = ({ changes }: LiveClient): string[] =>
  changes.flatMap((change) => (change.kind === 'device-status' ? [change.id] : []));

test('an administrator without a passkey sees no more by the live channel than by the API', async () => {
  const token = await portal.signIn('admin');
  expect((await query(portal.url, { path: 'session.get', token })).data).toMatchObject({
    ...{ mustAddPasskey: true, grants: [] },
  });
  const operator = await portal.signIn('operator');
  await query(portal.url, { path: 'session.get', token: operator });
  await using live = await LiveClient.open(portal.url, token);
  await using others = await LiveClient.open(portal.url, operator);
  const id = await seedDevice();
  await live.watch({ kind: 'devices', ids: [id] });
  await others.watch({ kind: 'devices', ids: [id] });
  await until(() => idsOf(others).includes(id));
  expect(idsOf(live)).toEqual([]);

  const authenticator = createSoftwareAuthenticator(portal.url);
  const call = (path: string, input?: unknown) => mutate(portal.url, { path, input, token });
  const options = (await call('passkeys.begin')).data as Parameters<
    SoftwareAuthenticator['create']
  >[0];
  const { data } = await call('passkeys.add', { credential: authenticator.create(options) });
  const seesIt = async (): Promise<boolean> => {
    live.changes.length = 0;
    await live.watch({ kind: 'devices', ids: [id] });
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    return idsOf(live).includes(id);
  };
  await expect.poll(seesIt, { timeout: SOON_MS }).toBe(true);

  const { passkey } = data as { readonly passkey: { readonly id: string } };
  await call('passkeys.remove', { id: passkey.id });
  await expect.poll(seesIt, { timeout: SOON_MS }).toBe(false);
  expect(live.client.connected).toBe(true);
});
