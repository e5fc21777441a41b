import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEVICE_GRANT, oauthPaths } from '@deviceportal/contract/device-grant';
import { AUTHORIZATION_QUOTA } from '../../../src/api-tokens/device-grant/device-grant-routes.ts';
import { deleteEnded } from '../../../src/platform/retention.ts';
import { apiTokenRetentions } from '../../../src/api-tokens/data/api-token-retentions.ts';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { DeviceGrantClient, newAddress, sendForm } from '../../api-tokens/device-grant-client.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.1' });
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const REQUESTS = 10_000;
/** Fewer than the connections of one address. */
const AT_ONCE = 200;

const count = async (): Promise<number> => {
  const { rows } = await database.orm.execute<{ count: number }>(
    sql`select count(*)::int as count from device_authorization`,
  );
  return rows[0]?.count ?? 0;
};

const request = (address: string) =>
  sendForm(portal.url, oauthPaths.deviceAuthorization, { client_id: 'flood' }, address);

/** Sends all, a limited number at a time. */
async function flood(addressOf: (index: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < REQUESTS; index = next++) {
      statuses.push((await request(addressOf(index))).status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return statuses;
}

test('10,000 requests of one address leave a few rows, and others can still sign in', async () => {
  const address = newAddress();
  const statuses = await flood(() => address);
  const { mostPending } = DEVICE_GRANT;
  expect(await count()).toBeLessThanOrEqual(mostPending.ofAddress);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(
    AUTHORIZATION_QUOTA.burst + 20,
  );
  expect((await DeviceGrantClient.start(portal.url)).codes.user_code).toBeDefined();
}, 240_000);

test('addresses of one IPv6 network count as one', async () => {
  const statuses = await Promise.all(
    Array.from(
      { length: 40 },
      async (_, index) => (await request(`2001:db8::${index + 1}`)).status,
    ),
  );
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(
    DEVICE_GRANT.mostPending.ofAddress,
  );
});

test('many addresses together cannot have more than the limit of all', async () => {
  await database.orm.execute(sql`
    insert into device_authorization (id, device_code_hash, user_code, client_id, requested_permissions, address,
      address_bucket, expires_at, interval_seconds)
    select gen_random_uuid(), 'hash ' || n, 'code ' || n, 'flood', '[]', 'a', 'a' || n, portal_now() + interval '600 s', 5
    from generate_series(1, ${DEVICE_GRANT.mostPending.ofAll}) n`);
  expect(await request(newAddress())).toMatchObject({
    ...{ status: 429, body: { error: 'temporarily_unavailable' } },
  });
  await database.orm.execute(
    sql`update device_authorization set expires_at = portal_now() - interval '1 hour'`,
  );
  const before = await count();
  expect((await request(newAddress())).status).toBe(200);
  expect(await count()).toBeLessThan(before);
  for (const retention of apiTokenRetentions()) await deleteEnded(database, retention);
  expect(await count()).toBe(1);
});
