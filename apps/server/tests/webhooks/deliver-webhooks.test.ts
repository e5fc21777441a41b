import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { webhookEventSchema } from '@deviceportal/contract/webhook-events';
import type { Viewer } from '../../src/platform/viewer.ts';
import { listWebhooks } from '../../src/webhooks/list-webhooks.ts';
import { changeWebhook, rotateSecret } from '../../src/webhooks/save-webhook.ts';
import { deleteWebhook, pauseByUser, resumeWebhook } from '../../src/webhooks/switch-webhook.ts';
import { retryDelivery } from '../../src/webhooks/sending/retry-delivery.ts';
import { testWebhook } from '../../src/webhooks/sending/test-webhook.ts';
import { startReceiver } from '../alerts/alerts-fixture.ts';
import { origin, seedDevices } from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { eventsOf, WebhooksFixture } from './webhooks-fixture.ts';

let db: TestDatabase;
let hooks: WebhooksFixture;
let owner: Viewer;
let devices: string[];
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  db = await createTestDatabase();
  devices = await seedDevices(db.database, [
    { serialNumber: 'LK-1', name: 'one' },
    { serialNumber: 'LK-2', name: 'two' },
  ]);
});
afterAll(() => db[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of ['webhook', 'webhook_delivery', 'portal_user', 'notification']) {
    await db.database.pool.query(`delete from ${table}`);
  }
  hooks = new WebhooksFixture(db);
  owner = await hooks.owner();
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const as = (viewer: Viewer) => ({ ...origin, viewer });

function isSignedBy(secret: string, at = 0): boolean {
  const call = receiver.received[at];
  const { 'webhook-id': id, 'webhook-timestamp': seconds } = call?.headers ?? {};
  const expected = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${String(id)}.${String(seconds)}.${call?.body}`)
    .digest('base64');
  return String(call?.headers['webhook-signature']).split(' ').includes(`v1,${expected}`);
}

describe('what a webhook sends', () => {
  test('events have the objects of the public API, in the order of the trail, signed', async () => {
    const { id, secret } = await hooks.webhook(owner, receiver.url);
    await hooks.happen('device.created', devices);
    await hooks.happen('device.disconnected', devices.slice(0, 1));
    await hooks.happen('device.note-added', devices);
    await hooks.run();
    expect(isSignedBy(secret)).toBe(true);
    const events = eventsOf(receiver.received);
    expect(events.map(({ type, sequence }) => `${sequence} ${type}`)).toEqual([
      ...['1 device.created', '2 device.created', '3 device.offline'],
    ]);
    expect(events.map(({ data }) => data.id)).toEqual([...devices, devices[0]]);
    expect(events[0]?.data).toMatchObject({ serialNumber: 'LK-1', name: 'one' });
    for (const event of events) expect(webhookEventSchema.parse(event)).toEqual(event);
    expect(await hooks.get(owner, id)).toMatchObject({
      ...{ waiting: 0, failed: 0 },
      deliveries: [{ state: 'delivered', events: 3, status: 200, firstSequence: 1 }],
    });
  });

  test('only chosen types are sent, and nothing of the time before', async () => {
    await hooks.happen('device.created', devices);
    await hooks.webhook(owner, receiver.url, ['device.offline']);
    await hooks.happen('device.connected', devices);
    await hooks.happen('device.disconnected', devices);
    await hooks.run();
    expect(eventsOf(receiver.received).map(({ type }) => type)).toEqual([
      ...['device.offline', 'device.offline'],
    ]);
  });

  test('a replaced secret signs as well for a day', async () => {
    const before = await hooks.webhook(owner, receiver.url);
    const { secret } = await rotateSecret(hooks.deps, as(owner), { id: before.id });
    await hooks.happen('device.created', devices);
    await hooks.run();
    expect([isSignedBy(before.secret), isSignedBy(secret)]).toEqual([true, true]);
    expect((await hooks.get(owner, before.id)).rotatingUntil).not.toBeNull();
    hooks.pass(24 * 60);
    await hooks.happen('device.created', devices);
    await hooks.run();
    expect([isSignedBy(before.secret, 1), isSignedBy(secret, 1)]).toEqual([false, true]);
    expect((await hooks.get(owner, before.id)).rotatingUntil).toBeNull();
  });

  test('address and secret are not in the database or in lists', async () => {
    const { id, secret } = await hooks.webhook(owner, `${receiver.url}?key=sesame`);
    const { rows } = await db.database.pool.query('select * from webhook');
    const shown = JSON.stringify([rows, await hooks.get(owner, id)]);
    for (const text of [secret, secret.slice(6), 'sesame', '/hook']) {
      expect(shown).not.toContain(text);
    }
  });
});

describe('a receiver that fails', () => {
  test('a request is repeated with the same ID before later events', async () => {
    await hooks.webhook(owner, receiver.url);
    receiver.answers.status = 503;
    await hooks.happen('device.created', devices.slice(0, 1));
    await hooks.run();
    await hooks.happen('device.created', devices.slice(1));
    await hooks.run();
    expect(receiver.received).toHaveLength(1);
    hooks.pass(0.2);
    receiver.answers.status = 200;
    await hooks.run();
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids[0]).toBe(ids[1]);
    expect(eventsOf(receiver.received).map(({ sequence }) => sequence)).toEqual([1, 1, 2]);
  });

  test('a rejected request is given up, and its owner sends it again', async () => {
    const { id } = await hooks.webhook(owner, receiver.url);
    receiver.answers.status = 410;
    await hooks.happen('device.created', devices);
    await hooks.run();
    const [failed] = (await hooks.get(owner, id)).deliveries;
    expect(failed).toMatchObject({ state: 'failed', status: 410, attempts: 1, canRetry: true });
    const other = await hooks.owner();
    const deliveryId = { id: failed?.id ?? '' };
    await expect(retryDelivery(hooks.deps, as(other), deliveryId)).rejects.toMatchObject({
      errorName: 'notFound',
    });
    receiver.answers.status = 200;
    await retryDelivery(hooks.deps, as(owner), deliveryId);
    await hooks.run();
    expect(eventsOf(receiver.received.slice(1))).toHaveLength(2);
  });

  test('a webhook that only fails is paused, its owner is notified, and it resumes without loss', async () => {
    const { id } = await hooks.webhook(owner, receiver.url);
    receiver.answers.status = 404;
    for (let round = 0; round < 12; round += 1) {
      await hooks.happen('device.created', devices);
      await hooks.run();
    }
    expect(receiver.received).toHaveLength(10);
    expect(await hooks.get(owner, id)).toMatchObject({ pausedBecause: 'failing', failed: 10 });
    const notified = `kind = 'webhook-paused' and user_id = '${owner.userId}'`;
    expect(await hooks.count('notification', notified)).toBe(1);
    receiver.answers.status = 200;
    await resumeWebhook(hooks.deps, as(owner), { id });
    await hooks.run();
    const numbers = eventsOf(receiver.received.slice(10)).map(({ sequence }) => sequence);
    expect(numbers).toEqual([21, 22, 23, 24]);
  });

  test('what waited for three days is paused, and resumes with a visible gap', async () => {
    const { id } = await hooks.webhook(owner, receiver.url);
    receiver.answers.status = 503;
    await hooks.happen('device.created', devices);
    await hooks.run();
    hooks.pass(3 * 24 * 60 + 1);
    await hooks.prepare();
    expect(await hooks.get(owner, id)).toMatchObject({ pausedBecause: 'behind', waiting: 1 });
    await hooks.happen('device.created', devices);
    hooks.pass(4 * 24 * 60);
    receiver.answers.status = 200;
    await resumeWebhook(hooks.deps, as(owner), { id });
    await hooks.run();
    const bodies = receiver.received
      .slice(1)
      .map(({ body }) => JSON.parse(body) as { type: string });
    expect(bodies.map(({ type }) => type)).toEqual(['gap']);
    const { deliveries } = await hooks.get(owner, id);
    expect(deliveries.map(({ state, lastError }) => [state, lastError])).toEqual([
      ['delivered', null],
      ['failed', 'waited-too-long'],
    ]);
  });
});

describe('changes by users', () => {
  test('a paused webhook sends nothing, and continues where it stopped', async () => {
    const { id } = await hooks.webhook(owner, receiver.url);
    await pauseByUser(hooks.deps, as(owner), { id });
    await hooks.happen('device.created', devices);
    await hooks.run();
    expect(receiver.received).toEqual([]);
    await resumeWebhook(hooks.deps, as(owner), { id });
    await hooks.run();
    expect(eventsOf(receiver.received)).toHaveLength(2);
  });

  test('a changed address receives what waits, and a deleted webhook nothing', async () => {
    const { id } = await hooks.webhook(owner, 'http://127.0.0.1:1/hook');
    await hooks.happen('device.created', devices);
    await hooks.run();
    const change = { id, name: 'Inventory', eventTypes: ['device.created' as const] };
    await changeWebhook(hooks.deps, as(owner), { ...change, url: receiver.url });
    hooks.pass(0.2);
    await hooks.run();
    expect(eventsOf(receiver.received)).toHaveLength(2);
    await hooks.happen('device.created', devices);
    await hooks.prepare();
    await deleteWebhook(hooks.deps, as(owner), { id });
    await hooks.run();
    expect(receiver.received).toHaveLength(1);
    expect(await listWebhooks(hooks.deps, owner)).toEqual([]);
  });

  test('a test shows what came of it, and changes nothing', async () => {
    const { id } = await hooks.webhook(owner, receiver.url);
    expect(await testWebhook(hooks.deps, as(owner), { id })).toMatchObject({ ok: true });
    receiver.answers.status = 302;
    expect(await testWebhook(hooks.deps, as(owner), { id })).toMatchObject({
      ...{ ok: false, error: '302' },
    });
    expect((await hooks.get(owner, id)).deliveries).toEqual([]);
  });

  test('each change is in the audit trail, without address and secret', async () => {
    const { id } = await hooks.webhook(owner, `${receiver.url}?key=sesame`);
    await rotateSecret(hooks.deps, as(owner), { id });
    await pauseByUser(hooks.deps, as(owner), { id });
    await resumeWebhook(hooks.deps, as(owner), { id });
    await testWebhook(hooks.deps, as(owner), { id });
    await deleteWebhook(hooks.deps, as(owner), { id });
    const { rows } = await db.database.pool.query<{ type: string; data: object }>(
      `select type, data from audit_event where data ->> 'webhookId' = $1 order by id`,
      [id],
    );
    expect(rows.map(({ type }) => type.replace('webhook.', ''))).toEqual([
      ...['created', 'secret-rotated', 'paused', 'resumed', 'tested', 'deleted'],
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/sesame|whsec|\/hook/);
  });
});
