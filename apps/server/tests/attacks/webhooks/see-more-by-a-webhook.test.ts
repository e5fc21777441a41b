import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { everywhere } from '@deviceportal/contract/permissions';
import type { Viewer } from '../../../src/platform/viewer.ts';
import { getWebhook, listWebhooks } from '../../../src/webhooks/list-webhooks.ts';
import { changeWebhook, rotateSecret } from '../../../src/webhooks/save-webhook.ts';
import { deleteWebhook, resumeWebhook } from '../../../src/webhooks/switch-webhook.ts';
import { testWebhook } from '../../../src/webhooks/sending/test-webhook.ts';
import { startReceiver } from '../../alerts/alerts-fixture.ts';
import { may, origin, seedDevices } from '../../support/command-fixture.ts';
import {
  createTestDatabase,
  type TestDatabase,
} from '../../support/database/create-test-database.ts';
import { eventsOf, reading, WebhooksFixture } from '../../webhooks/webhooks-fixture.ts';

let db: TestDatabase;
let hooks: WebhooksFixture;
let german = '';
let polish = '';
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  db = await createTestDatabase();
  [german = '', polish = ''] = await seedDevices(db.database, [
    { name: 'german', country: 'DE' },
    { name: 'polish', country: 'PL' },
  ]);
});
afterAll(() => db[Symbol.asyncDispose]());

beforeEach(async () => {
  for (const table of ['webhook', 'webhook_delivery', 'portal_user']) {
    await db.database.pool.query(`delete from ${table}`);
  }
  hooks = new WebhooksFixture(db);
  receiver = await startReceiver();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const as = (viewer: Viewer) => ({ ...origin, viewer });
const reduced = (viewer: Viewer, grants: Viewer['grants']) =>
  void hooks.owners.set(viewer.subject, { ...viewer, grants });

test('devices out of scope are not sent, named, or counted', async () => {
  const owner = await hooks.owner({ countries: ['DE'] });
  await hooks.webhook(owner, receiver.url);
  await hooks.happen('device.created', [polish, german, polish]);
  await hooks.run();
  expect(eventsOf(receiver.received)).toMatchObject([{ sequence: 1, data: { id: german } }]);
  expect(receiver.received[0]?.body).not.toContain(polish);
});

test('an owner who loses scope after the event receives nothing of it, also when it is repeated', async () => {
  const owner = await hooks.owner();
  const { id } = await hooks.webhook(owner, receiver.url);
  await hooks.happen('device.created', [german, polish]);
  await hooks.prepare();
  reduced(owner, [may(reading, { ...everywhere, countries: ['DE'] })]);
  receiver.answers.status = 503;
  await hooks.deliver();
  reduced(owner, [may(reading, { ...everywhere, countries: ['FR'] })]);
  receiver.answers.status = 200;
  hooks.pass(1);
  await hooks.deliver();
  expect(eventsOf(receiver.received).map(({ data }) => data.id)).toEqual([german]);
  expect((await getWebhook(hooks.deps, owner, { id })).deliveries).toMatchObject([
    { state: 'failed', lastError: 'nothing-visible' },
  ]);
});

test.each([
  ['devices:read', ['device.created']],
  ['commands:read', ['command.finished']],
] as const)('without %s its objects are not sent', async (permission, [type]) => {
  const owner = await hooks.owner(
    {},
    reading.filter((each) => each !== permission),
  );
  await hooks.webhook(owner, receiver.url);
  await hooks.happen(type, [german]);
  await hooks.run();
  expect(receiver.received).toEqual([]);
});

test.each([
  ['is suspended', undefined, 'owner-inactive'],
  ['no longer manages webhooks', [may(['devices:read'])], 'owner-not-permitted'],
] as const)('a webhook whose owner %s sends nothing', async (_how, grants, reason) => {
  const owner = await hooks.owner();
  const { id } = await hooks.webhook(owner, receiver.url);
  await hooks.happen('device.created', [german]);
  await hooks.prepare();
  if (grants === undefined) hooks.owners.delete(owner.subject);
  else reduced(owner, grants);
  await hooks.run();
  await hooks.happen('device.created', [german]);
  await hooks.run();
  expect(receiver.received).toEqual([]);
  expect(await getWebhook(hooks.deps, owner, { id })).toMatchObject({ pausedBecause: reason });
});

test('names of people are masked without people:read', async () => {
  await db.database.orm.execute(sql`
    insert into person (id, username, name)
    values ('019aa2c4-7d5f-7c3a-9d53-6f0b6f6a1c11', 'ana', 'Ana Weber')`);
  await db.database.orm.execute(sql`
    update device set owner_id = '019aa2c4-7d5f-7c3a-9d53-6f0b6f6a1c11' where id = ${german}`);
  const owner = await hooks.owner(
    {},
    reading.filter((each) => each !== 'people:read'),
  );
  await hooks.webhook(owner, receiver.url);
  await hooks.happen('device.created', [german]);
  await hooks.run();
  expect(eventsOf(receiver.received)).toHaveLength(1);
  expect(receiver.received[0]?.body).not.toContain('Weber');
});

test('a webhook of another user is neither visible nor changed within a scope', async () => {
  const owner = await hooks.owner();
  const { id } = await hooks.webhook(owner, receiver.url);
  const scoped = await hooks.owner({ countries: ['DE'] });
  expect(await listWebhooks(hooks.deps, scoped)).toEqual([]);
  const change = { id, name: 'mine', url: receiver.url, eventTypes: ['device.created' as const] };
  const other = await hooks.owner();
  for (const viewer of [scoped, other]) {
    for (const act of [
      () => changeWebhook(hooks.deps, as(viewer), change),
      () => rotateSecret(hooks.deps, as(viewer), { id }),
      () => resumeWebhook(hooks.deps, as(viewer), { id }),
      () => testWebhook(hooks.deps, as(viewer), { id }),
    ]) {
      await expect(act()).rejects.toMatchObject({ errorName: 'notFound' });
    }
  }
  await expect(deleteWebhook(hooks.deps, as(scoped), { id })).rejects.toMatchObject({
    errorName: 'notFound',
  });
  // An administrator can end what a colleague has left.
  await deleteWebhook(hooks.deps, as(other), { id });
});
