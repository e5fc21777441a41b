import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_RATE } from '../../../src/api/public/rate-limit.ts';
import { openDatabase, type Database } from '../../../src/platform/database/database.ts';
import { ApiTokenClient } from '../../api-tokens/api-token-client.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let database: Database;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.1' });
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const permissions = ['devices:read'];
const send = ({ token }: ApiTokenClient, address: string) =>
  fetch(`${portal.url}/api/v1/token`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': address },
  });

test('a request of a token over its rate writes no use', async () => {
  const client = await ApiTokenClient.personal(portal.url, admin, { permissions });
  const from = (addresses: readonly string[]) =>
    Promise.all(
      addresses.map(async (address) => ({ address, status: (await send(client, address)).status })),
    );
  await from(Array.from({ length: API_RATE.burst }, () => '203.0.113.1'));
  const answers = await from(Array.from({ length: 60 }, (_, index) => `198.51.100.${index}`));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  const { rows } = await database.orm.execute<{ address: string }>(sql`
    select address from api_token_address where token_id = ${client.id}`);
  const used = new Set(rows.map(({ address }) => address));
  expect(refused.filter(({ address }) => used.has(address))).toEqual([]);
});

test('all addresses of an IPv6 network are one place of use, which is written once a minute', async () => {
  const client = await ApiTokenClient.personal(portal.url, admin, { permissions });
  const stored = async () => {
    const { rows } = await database.orm.execute<{ xmin: string; address: string }>(sql`
      select xmin::text, last_used_address as address from api_token where id = ${client.id}`);
    return rows[0];
  };
  const leftOfMinuteMs = 60_000 - (Date.now() % 60_000);
  if (leftOfMinuteMs < 3_000) await setTimeout(leftOfMinuteMs);
  expect((await send(client, '2001:db8:1:2::1')).status).toBe(200);
  const before = await stored();
  expect(before?.address).toBe('2001:db8:1:2::/64');
  for (const host of ['2', '3', 'ffff']) await send(client, `2001:db8:1:2::${host}`);
  expect(await stored()).toEqual(before);
});
