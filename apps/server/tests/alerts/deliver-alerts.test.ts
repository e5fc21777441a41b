import { createHmac } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listDeliveries } from '../../src/alerts/list-deliveries.ts';
import { listRules } from '../../src/alerts/list-rules.ts';
import { retryDelivery } from '../../src/alerts/sending/retry-delivery.ts';
import { testDestination } from '../../src/alerts/sending/test-destination.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { origin, seedDevices } from '../support/command-fixture.ts';
import { CrashInjector, isKilled } from '../support/crash-injector.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { AlertsFixture, startReceiver } from './alerts-fixture.ts';

let db: TestDatabase;
let alerts: AlertsFixture;
let owner: Viewer;
let devices: string[];
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of [
    'device',
    'device_status',
    'device_instance',
    'portal_user',
    'alert',
    'alert_rule',
    'alert_delivery',
    'alert_destination',
  ]) {
    await db.database.pool.query(`delete from ${table}`);
  }
  alerts = new AlertsFixture(db.database);
  owner = await alerts.owner();
  devices = await seedDevices(db.database, [
    { serialNumber: 'LK-1', name: 'one' },
    { serialNumber: 'LK-2', name: 'two' },
  ]);
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

async function fireWebhook() {
  const saved = await alerts.rule(owner, {
    destinations: [{ kind: 'webhook', url: receiver.url }],
  });
  await alerts.setOffline(devices, 10);
  await alerts.evaluate();
  return saved;
}

async function allDeliveries() {
  const { rows } = await db.database.pool.query<{ id: string }>('select id from alert');
  return listDeliveries(alerts.deps, owner, { alertId: rows[0]?.id ?? '' });
}

const typeOf = ({ body }: { readonly body: string }): string =>
  (JSON.parse(body) as { readonly type: string }).type;

describe('delivery of alerts', () => {
  test('a webhook is signed over its ID, its time, and its body (Standard Webhooks)', async () => {
    const { secrets } = await fireWebhook();
    await alerts.deliver();
    const [call] = receiver.received;
    const key = Buffer.from(secrets[0]?.secret.replace('whsec_', '') ?? '', 'base64');
    const { 'webhook-id': id, 'webhook-timestamp': at } = call?.headers ?? {};
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.${call?.body}`)
      .digest('base64');
    expect(call?.headers['webhook-signature']).toBe(`v1,${expected}`);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      type: 'alert.firing',
      data: {
        ...{ rule: 'Offline lockers', severity: 'critical', matching: 2, total: 2 },
        devices: [{ serialNumber: 'LK-1' }, { serialNumber: 'LK-2' }],
      },
    });
  });

  test('a failed delivery is repeated with the same ID and longer pauses, and the end follows the start', async () => {
    await fireWebhook();
    receiver.answers.status = 503;
    await alerts.deliver();
    await alerts.setOnline(devices);
    await alerts.settle();
    expect(await alerts.deliver()).toBe(1);
    expect(await alerts.deliver()).toBe(0);
    alerts.pass(0.1);
    expect(await alerts.deliver()).toBe(0);
    alerts.pass(0.2);
    receiver.answers.status = 200;
    await alerts.deliver();
    await alerts.deliver();
    expect(receiver.received.map(typeOf)).toEqual([
      ...['alert.firing', 'alert.firing', 'alert.firing', 'alert.resolved'],
    ]);
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids.slice(0, 3)).size).toBe(1);
    expect(new Set(ids).size).toBe(2);
  });

  test('a rejected delivery is given up, visible, and can be sent again by the owner', async () => {
    await fireWebhook();
    receiver.answers.status = 410;
    await alerts.deliver();
    const [failed] = await allDeliveries();
    expect(failed).toMatchObject({
      state: 'failed',
      lastError: '410',
      attempts: 1,
      canRetry: true,
    });
    expect(await alerts.count('audit_event', `type = 'alert.delivery-failed'`)).toBe(1);
    receiver.answers.status = 200;
    const other = await alerts.owner();
    const id = failed?.id ?? '';
    await expect(
      retryDelivery(alerts.deps, { ...origin, viewer: other }, { id }),
    ).rejects.toMatchObject({ errorName: 'notFound' });
    await retryDelivery(alerts.deps, { ...origin, viewer: owner }, { id });
    await alerts.deliver();
    expect(await allDeliveries()).toMatchObject([{ state: 'delivered', canRetry: false }]);
  });

  test('a redirect is not followed', async () => {
    await fireWebhook();
    receiver.answers.status = 307;
    await alerts.deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await allDeliveries()).toMatchObject([{ state: 'failed', lastError: '307' }]);
  });

  test('a server that is killed at any statement loses no delivery, and repeats it with the same ID', async () => {
    await fireWebhook();
    for (let statements = 0; statements < 3; statements += 1) {
      const crash = new CrashInjector();
      crash.killAfter(statements);
      await alerts.deliver(crash.wrap(db.database)).catch((error: unknown) => {
        expect(isKilled(error)).toBe(true);
      });
      alerts.pass(1);
    }
    alerts.pass(1);
    await alerts.deliver();
    expect(await allDeliveries()).toMatchObject([{ state: 'delivered' }]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('two servers send a delivery once', async () => {
    await fireWebhook();
    await Promise.all([alerts.deliver(), alerts.deliver(), alerts.deliver()]);
    expect(receiver.received).toHaveLength(1);
  });

  test('an email goes once to each address, in the language of the owner', async () => {
    await db.database.orm.execute(sql`
      update portal_user set preferences = '{"language":"zh-CN"}' where id = ${owner.userId}`);
    const addresses = ['ops@example.com', 'night@example.com'];
    await alerts.rule(owner, { destinations: [{ kind: 'email', addresses }] });
    await alerts.setOffline(devices, 10);
    await alerts.evaluate();
    await Promise.all([alerts.deliver(), alerts.deliver()]);
    expect(alerts.mails.map(({ to }) => to)).toEqual(addresses);
    expect(alerts.mails[0]?.subject).toBe('告警：Offline lockers');
    expect(alerts.mails[0]?.text).toContain('LK-1, LK-2');
  });

  test('the address and the secret are not in the database, and are masked for all users', async () => {
    const { secrets } = await fireWebhook();
    const { rows } = await db.database.pool.query('select * from alert_destination');
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(receiver.url);
    expect(stored).not.toContain(secrets[0]?.secret);
    const [rule] = await listRules(alerts.deps, owner);
    expect(rule?.destinations[0]?.label).toBe(new URL(receiver.url).host);
  });

  test('a test is sent once, and shows what came of it', async () => {
    await fireWebhook();
    const [rule] = await listRules(alerts.deps, owner);
    const destinationId = rule?.destinations[0]?.id ?? '';
    const sendTest = (viewer: Viewer) =>
      testDestination(alerts.deps, { ...origin, viewer }, { destinationId });
    expect(await sendTest(owner)).toEqual({ ok: true, error: null });
    receiver.answers.status = 500;
    expect(await sendTest(owner)).toEqual({ ok: false, error: '500' });
    expect(receiver.received.map(typeOf)).toEqual(['alert.test', 'alert.test']);
    await expect(sendTest(await alerts.owner())).rejects.toMatchObject({ errorName: 'notFound' });
  });
});
