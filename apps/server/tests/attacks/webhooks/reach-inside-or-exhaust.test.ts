import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { growthLimits } from '@deviceportal/contract/growth-limits';
import { internalHostsOf } from '../../../src/platform/outside/internal-hosts.ts';
import { testWebhook } from '../../../src/webhooks/sending/test-webhook.ts';
import { startReceiver } from '../../alerts/alerts-fixture.ts';
import { origin, seedDevices } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { eventsOf, WebhooksFixture } from '../../webhooks/webhooks-fixture.ts';

let db: TestDatabase;
let devices: string[];
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  db = await createTestDatabase();
  devices = await seedDevices(
    db.database,
    Array.from({ length: 250 }, (_, at) => ({ name: `device-${at}` })),
  );
});
afterAll(() => db[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of ['webhook', 'webhook_delivery', 'portal_user', 'alert_manual_message']) {
    await db.database.pool.query(`delete from ${table}`);
  }
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

test.each([
  ...['https://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://10.0.0.1/hook'],
  ...['https://2130706433/', 'https://0x7f.1/', 'https://169.254.169.254/latest/meta-data/'],
])('the address %s is rejected', async (url) => {
  const hooks = new WebhooksFixture(db, []);
  await expect(hooks.webhook(await hooks.owner(), url)).rejects.toMatchObject({
    reason: 'alert-address-internal',
  });
});

test('an address without TLS is rejected', async () => {
  const hooks = new WebhooksFixture(db, []);
  await expect(
    hooks.webhook(await hooks.owner(), 'http://hooks.example.com/'),
  ).rejects.toMatchObject({ reason: 'alert-address-insecure' });
});

test('a name that leads inside after it was saved receives neither events nor tests', async () => {
  const hooks = new WebhooksFixture(db, ['localhost', '127.0.0.1']);
  const owner = await hooks.owner();
  const { port } = new URL(receiver.url);
  const { id } = await hooks.webhook(owner, `http://localhost:${port}/`);
  await hooks.happen('device.created', devices.slice(0, 1));
  const strict = new WebhooksFixture(db, []);
  Object.assign(hooks.deps.alerts, { internalHosts: internalHostsOf([]) });
  expect(strict.deps.alerts.internalHosts.lists('localhost')).toBe(false);
  await hooks.run();
  const tested = await testWebhook(hooks.deps, { ...origin, viewer: owner }, { id });
  expect(tested).toMatchObject({ ok: false, error: 'INTERNAL_ADDRESS' });
  expect(receiver.received).toEqual([]);
  expect((await hooks.get(owner, id)).deliveries).toMatchObject([
    { state: 'failed', lastError: 'INTERNAL_ADDRESS' },
  ]);
});

test('a redirect to an internal address is not followed', async () => {
  const hooks = new WebhooksFixture(db);
  await hooks.webhook(await hooks.owner(), receiver.url);
  receiver.answers.status = 307;
  await hooks.happen('device.created', devices.slice(0, 1));
  await hooks.run();
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that is down keeps a bounded number of rows, and loses nothing', async () => {
  const hooks = new WebhooksFixture(db);
  await hooks.webhook(await hooks.owner(), receiver.url);
  receiver.answers.status = 503;
  for (let round = 0; round < 12; round += 1) {
    await hooks.happen('device.created', devices);
    while (await hooks.prepare());
  }
  expect(await hooks.count('webhook_delivery', 'true')).toBe(10);
  receiver.answers.status = 200;
  await hooks.run();
  const events = eventsOf(receiver.received);
  expect(events.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 12 * 250 }, (_, at) => at + 1),
  );
  expect(Math.max(...receiver.received.map(({ body }) => body.length))).toBeLessThan(200_000);
});

test('a receiver that answers without end is not read, and does not delay others', async () => {
  const hooks = new WebhooksFixture(db);
  const endless = createServer((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(65_536)), 1);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  await hooks.webhook(await hooks.owner(), `http://127.0.0.1:${port}/`);
  await hooks.webhook(await hooks.owner(), receiver.url);
  await hooks.happen('device.created', devices.slice(0, 1));
  const startedAt = performance.now();
  await hooks.run();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(receiver.received).toHaveLength(1);
  endless.closeAllConnections();
  endless.close();
});

test('a receiver that never answers ends after its time and does not delay others', async () => {
  const hooks = new WebhooksFixture(db);
  const owner = await hooks.owner();
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const slow = await hooks.webhook(owner, `http://127.0.0.1:${port}/`);
  await hooks.webhook(owner, receiver.url);
  await hooks.happen('device.created', devices.slice(0, 1));
  await hooks.prepare();
  const round = hooks.deliver();
  await expect.poll(() => receiver.received.length, { timeout: 5_000 }).toBe(1);
  await round;
  expect((await hooks.get(owner, slow.id)).deliveries).toMatchObject([
    { state: 'waiting', attempts: 1, status: null, lastError: 'ABORT_ERR' },
  ]);
  silent.closeAllConnections();
  silent.close();
}, 30_000);

test('a user has a limited number of webhooks, and of tests', async () => {
  const hooks = new WebhooksFixture(db);
  const owner = await hooks.owner();
  const { id } = await hooks.webhook(owner, receiver.url);
  for (let at = 1; at < growthLimits.webhooks.most; at += 1) {
    await hooks.webhook(owner, receiver.url);
  }
  await expect(hooks.webhook(owner, receiver.url)).rejects.toMatchObject({
    facts: { reason: 'limitReached', limit: 'webhooks' },
  });
  const send = () => testWebhook(hooks.deps, { ...origin, viewer: owner }, { id });
  for (let at = 0; at < growthLimits.alertTestsOfAddress.most; at += 1) await send();
  await expect(send()).rejects.toMatchObject({ facts: { limit: 'alertTestsOfAddress' } });
});
