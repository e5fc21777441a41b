import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNAUTHENTICATED_QUOTA } from '../../../src/api/api-route.ts';
import { query } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const FLOOD = 700;
const AT_ONCE = 350;

let portal: TestServer;
let admin: string;
beforeAll(async () => {
  portal = await startTestServer();
  admin = await portal.signIn('admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

async function countRefused(): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const input = { filter: {}, pageSize: 100, cursor };
    const { data } = await query(portal.url, { path: 'apiCalls.list', input, token: admin });
    const page = data as { rows: { username: string | null }[]; nextCursor: string | null };
    count += page.rows.filter(({ username }) => username === null).length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return count;
}

test('a stranger cannot fill the log of API calls', async () => {
  for (let sent = 0; sent < FLOOD; sent += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, () =>
      fetch(`${portal.url}/api/trpc/devices.list`),
    );
    const replies = await Promise.all(calls);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  }
  await expect
    .poll(countRefused, { timeout: 8_000 })
    .toBeGreaterThanOrEqual(UNAUTHENTICATED_QUOTA.burst);
  // Pending records are written twice a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await countRefused()).toBeLessThanOrEqual(UNAUTHENTICATED_QUOTA.burst + 30);
}, 60_000);
