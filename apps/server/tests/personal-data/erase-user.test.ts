import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Page } from '@deviceportal/contract/pages';
import type { ErasurePreview } from '@deviceportal/contract/personal-data';
import type { AccessFixture } from '../support/access-fixture.ts';
import { createPersonalDataFixture, type PersonalDataFixture } from './personal-data-fixture.ts';

let fixture: PersonalDataFixture;
let number = 0;
let address = '';

beforeAll(async () => {
  fixture = await createPersonalDataFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  number += 1;
  address = `maria-quill-${number}@example.com`;
});

const erase = (user: UserRow) =>
  fixture.erase({ kind: 'user', id: user.id, username: user.username });

/** A bit of everything that the portal lets a user do. */
async function useThePortal(setup: AccessFixture): Promise<void> {
  const { id: personId, deviceId } = await fixture.customer(`Customer ${randomUUID()}`);
  await setup.done('devices.createClaim', {});
  await setup.done('devices.addNote', { deviceId, text: 'replaced the battery' });
  await setup.done('devices.saveView', { name: 'mine', screen: 'devices', search: { q: 'a' } });
  await setup.done('session.savePreferences', { language: 'en' });
  await setup.done('session.remember', { kind: 'person', id: personId, label: 'Customer' });
  const { id: caseId } = await setup.done<{ id: string }>('cases.open', { personId });
  await setup.done('cases.addNote', { id: caseId, text: 'called back' });
  await setup.done('commands.run', {
    command: 'logs/tail',
    target: { kind: 'devices', deviceIds: [deviceId] },
    parameters: {},
    idempotencyKey: randomUUID(),
  });
  await setup.done('cases.close', { id: caseId, outcome: 'resolved', text: 'works' });
  await setup.done('versions.register', {
    ...{ component: `firmware-${number}`, version: '1.0.0', models: [], channel: 'stable' },
  });
}

const eventsOf = async (userId: string): Promise<readonly AuditEvent[]> =>
  (
    await fixture.admin.read<Page<AuditEvent>>('auditTrail.list', {
      filter: { actorId: userId },
      pageSize: 100,
    })
  ).rows;

test('[erase-1] no row of the database names an erased user, and records of their actions are kept', async () => {
  const [user, setup] = await fixture.user(address, 'Administrator');
  await useThePortal(setup);
  await fixture.leave(user);
  const before = await eventsOf(user.id);
  expect(before.length).toBeGreaterThan(8);
  expect(new Set(before.map(({ actor }) => actor.name))).toEqual(new Set([address]));
  const { pseudonym } = await erase(user);
  expect(await fixture.find(address)).toEqual([]);
  const after = await eventsOf(user.id);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(new Set(after.map(({ actor }) => actor.name))).toEqual(new Set([pseudonym]));
  expect(after.every(({ actor }) => actor.address === null)).toBe(true);
});

test('custom values of an account are deleted with it', async () => {
  const [user] = await fixture.user(address, 'Viewer');
  const subject = (
    await fixture.pool.query<{ subject: string }>('select subject from portal_user where id = $1', [
      user.id,
    ])
  ).rows[0]?.subject;
  await fixture.pool.query(
    `insert into identity.provider_custom_value (target_type, target_id, key, data_type, value, modified_at)
     values ('USER', $1, 'shoe-size', 'NUMBER', '43', now())`,
    [subject],
  );
  await fixture.leave(user);
  await erase(user);
  expect(await fixture.find('shoe-size')).toEqual([]);
});

test('[erase-2] no audit event contains the name or address of a user in plain text, not even the first', async () => {
  const [user] = await fixture.user(address, 'Viewer');
  const { rows } = await fixture.pool.query<{ text: string }>(
    `select e::text as text from audit_event e where actor_id = $1`,
    [user.id],
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ text }) => text).join('\n')).not.toMatch(/maria-quill|127\.0\.0\.1/);
});

test('sealed events are found by name and address until the user is erased', async () => {
  const [user, setup] = await fixture.user(address, 'Viewer');
  const found = async (filter: object): Promise<number> => {
    const { rows } = await fixture.admin.read<Page<AuditEvent>>('auditTrail.list', {
      filter,
      pageSize: 100,
    });
    return rows.filter(({ actor }) => actor.id === user.id).length;
  };
  await setup.session();
  expect(await found({ text: address.slice(3, -6) })).toBeGreaterThan(0);
  expect(await found({ address: '127.0.0.1' })).toBeGreaterThan(0);
  await fixture.leave(user);
  await erase(user);
  expect(await found({ text: address })).toBe(0);
  expect(await found({ address: '127.0.0.1' })).toBe(0);
});

test('sign-ins, roles, and the account are deleted, and earlier tokens are rejected', async () => {
  const [user, setup] = await fixture.user(address, 'Viewer');
  const tokens = async (): Promise<number> =>
    (
      await fixture.pool.query(
        `select from identity.refresh_token t where not exists (
           select from identity.account a where a.account_id = t.sub::text)`,
      )
    ).rowCount ?? 0;
  await fixture.leave(user);
  await erase(user);
  expect((await setup.ask('session.get')).code).toBe(2001);
  expect(await tokens()).toBe(0);
  const { rows } = await fixture.pool.query('select from identity.account where email = $1', [
    address,
  ]);
  expect(rows).toEqual([]);
  // The same address may be invited anew: another user, who knows nothing of the erased one.
  const [again] = await fixture.user(address, 'Viewer');
  expect(again.id).not.toBe(user.id);
});

test('only a user who has left is erased, only with the matching username, and only once', async () => {
  const [user] = await fixture.user(address, 'Viewer');
  const input = { kind: 'user', id: user.id, username: user.username };
  const preview = await fixture.admin.read<ErasurePreview>('personalData.preview', input);
  expect(preview).toMatchObject({ username: address, obstacles: ['user-has-not-left'] });
  const reasonOf = async (tried: object): Promise<unknown> =>
    ((await fixture.admin.order('personalData.erase', tried)).body as never)?.['error']?.['json']?.[
      'data'
    ]?.['portal']?.['reason'];
  expect(await reasonOf(input)).toBe('user-has-not-left');
  await fixture.leave(user);
  expect(await reasonOf({ ...input, username: 'somebody' })).toBe('name-does-not-match');
  await erase(user);
  const { pseudonym } = await fixture.admin.read<ErasurePreview>('personalData.preview', input);
  expect(await reasonOf({ ...input, username: pseudonym })).toBe('already-erased');
});

test('an erasure is recorded in one event that contains only IDs', async () => {
  const [user] = await fixture.user(address, 'Viewer');
  await fixture.leave(user);
  await erase(user);
  const [event] = await fixture.admin.trail('people.erased');
  expect(event?.data).toMatchObject({ userId: user.id });
  expect(JSON.stringify(event)).not.toContain(address);
});

test('former usernames of a user, and names in rows without a user ID, are erased', async () => {
  const [user, setup] = await fixture.user(address, 'Administrator');
  await useThePortal(setup);
  const renamed = `renamed-quill-${number}@example.com`;
  await fixture.pool.query('update portal_user set username = $2, email = $2 where id = $1', [
    user.id,
    renamed,
  ]);
  const { rowCount } = await fixture.pool.query(
    'update claim set created_by_id = null where created_by = $1',
    [address],
  );
  expect(rowCount).toBeGreaterThan(0);
  await fixture.leave({ ...user, username: renamed });
  await erase({ ...user, username: renamed });
  expect(await fixture.find(address)).toEqual([]);
  expect(await fixture.find(renamed)).toEqual([]);
});
