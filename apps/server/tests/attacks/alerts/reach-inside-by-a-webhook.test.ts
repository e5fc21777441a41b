import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverAlerts } from '../../../src/alerts/sending/deliver-alerts.ts';
import { internalHostsOf } from '../../../src/platform/outside/internal-hosts.ts';
import { postOutside } from '../../../src/platform/outside/post-outside.ts';
import { AlertsFixture, startReceiver } from '../../alerts/alerts-fixture.ts';
import { seedDevices } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';

let db: TestDatabase;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  db = await createTestDatabase();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
});

const internal = [
  ...['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://10.0.0.1/hook'],
  ...['https://2130706433/', 'https://0x7f.1/', 'https://[::ffff:127.0.0.1]/', 'https://0/'],
  ...['https://169.254.169.254/latest/meta-data/', 'https://user:password@127.0.0.1/'],
];

test.each(internal)('a rule with the address %s is rejected', async (url) => {
  const alerts = new AlertsFixture(db.database, []);
  const owner = await alerts.owner();
  await expect(
    alerts.rule(owner, { destinations: [{ kind: 'webhook', url }] }),
  ).rejects.toMatchObject({ reason: 'alert-address-internal' });
});

test('an address without TLS is rejected', async () => {
  const alerts = new AlertsFixture(db.database, []);
  const owner = await alerts.owner();
  await expect(
    alerts.rule(owner, { destinations: [{ kind: 'slack', url: 'http://hooks.example.com/' }] }),
  ).rejects.toMatchObject({ reason: 'alert-address-insecure' });
});

test('a name that leads inside after it was saved receives nothing', async () => {
  const none = internalHostsOf([]);
  const port = new URL(receiver.url).port;
  for (const url of [`https://localhost:${port}/`, `http://localhost:${port}/`, receiver.url]) {
    await expect(postOutside({ url, headers: {}, body: '{}' }, none)).rejects.toMatchObject({
      code: 'INTERNAL_ADDRESS',
    });
  }
  expect(receiver.received).toEqual([]);
});

test('a delivery to an address that is no longer allowed is given up without a request', async () => {
  const allowed = new AlertsFixture(db.database);
  const owner = await allowed.owner();
  const devices = await seedDevices(db.database, [{}, {}]);
  await allowed.rule(owner, { destinations: [{ kind: 'webhook', url: receiver.url }] });
  await allowed.setOffline(devices, 10);
  await allowed.evaluate();
  const deps = {
    ...allowed.deps,
    alerts: { ...allowed.deps.alerts, internalHosts: internalHostsOf([]) },
  };
  await deliverAlerts(deps);
  expect(receiver.received).toEqual([]);
  const { rows } = await db.database.orm.execute(sql`select state, last_error from alert_delivery`);
  expect(rows).toEqual([{ state: 'failed', last_error: 'INTERNAL_ADDRESS' }]);
});
