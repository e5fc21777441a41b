import { randomUUID } from 'node:crypto';
import type { IdentityEvent } from '@deviceportal/identity/identity-event';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REFUSED_SIGN_INS_QUOTA } from '../../../src/access/rejected-sign-ins.ts';
import { openNames } from '../../../src/audit-trail/open-personal-fields.ts';
import { createSignInRecorder } from '../../../src/access/sign-in-recorder.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { rowsOf } from '../../support/gateway-fixture.ts';
import { askPool, query } from '../../support/portal-api.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let db: TestDatabase;
beforeAll(async () => {
  [portal, db] = await Promise.all([
    startTestServer([], { DEVICEPORTAL_SIGN_IN_LIMITS: 'on' }),
    createTestDatabase(),
  ]);
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const FLOOD = 600;
const TYPES = ['access.sign-in-refused', 'access.sign-in-locked'];

/** Refused before any limit of the sign-in counts it: nothing of it is right. */
const guess = (): Promise<unknown> =>
  askPool(portal.url, 'InitiateAuth', {
    ...{ AuthFlow: 'REFRESH_TOKEN', ClientId: 'deviceportalweb' },
    AuthParameters: { REFRESH_TOKEN: 'x', USERNAME: randomUUID() },
  }).catch(() => {});

async function countRefusals(token: string): Promise<number> {
  let count = 0;
  let cursor: string | null = null;
  do {
    const input = { filter: { types: TYPES }, pageSize: 100, cursor };
    const { data } = await query(portal.url, { path: 'auditTrail.list', input, token });
    const page = data as { rows: unknown[]; nextCursor: string | null };
    count += page.rows.length;
    cursor = page.nextCursor;
  } while (cursor !== null);
  return count;
}

test('[refused-1] a stranger does not write into the audit trail without end', async () => {
  const token = await portal.signIn('admin');
  const before = await countRefusals(token);
  await Promise.all(Array.from({ length: FLOOD }, guess));
  const told = async () => (await countRefusals(token)) - before;
  await expect.poll(told, { timeout: 5_000 }).toBeGreaterThanOrEqual(REFUSED_SIGN_INS_QUOTA.burst);
  // What waits is written twice a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await told()).toBeLessThanOrEqual(REFUSED_SIGN_INS_QUOTA.burst + 20);
}, 60_000);

test('[refused-2] what is not told by itself is told as a number, and hides nothing of others', async () => {
  const recorder = createSignInRecorder(db, (error) => expect.fail(String(error)));
  const refusal = (address: string, kind: IdentityEvent['kind']): IdentityEvent => ({
    ...{ kind, at: new Date(), sub: undefined, username: randomUUID(), address, detail: 'x' },
  });
  for (let count = 0; count < FLOOD; count += 1)
    recorder.record(
      refusal(`2001:db8::${count.toString(16)}`, count % 2 ? 'limited' : 'wrongAnswer'),
    );
  recorder.record(refusal('192.0.2.7', 'wrongAnswer'));
  await recorder[Symbol.asyncDispose]();
  const rows = await rowsOf<{ address: string; reason: string }>(
    db.database,
    `select actor_address as address, data->>'reason' as reason from audit_event`,
    [],
  );
  const addressOf = await openNames(
    db.database.orm,
    rows.map(({ address }) => ({ text: address, userId: null })),
  );
  const told = Map.groupBy(rows, ({ address, reason }) => {
    const opened = addressOf({ text: address, userId: null });
    const isOne = opened.startsWith('2001:db8::') && !opened.endsWith('/64');
    return JSON.stringify({ address: isOne ? 'one of them' : opened, reason });
  });
  const counted = [...told].map(([key, all]) => ({ ...JSON.parse(key), count: all.length }));
  expect(counted.toSorted((one, other) => (one.address < other.address ? -1 : 1))).toEqual([
    { address: '192.0.2.7', reason: 'x', count: 1 },
    { address: '2001:db8::/64', reason: `${FLOOD - 200} more were refused`, count: 1 },
    { address: 'one of them', reason: 'x', count: 200 },
  ]);
});
