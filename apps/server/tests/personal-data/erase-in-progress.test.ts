import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ErasureProgress, PersonErased } from '@deviceportal/contract/personal-data';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../support/access-fixture.ts';
import { until } from '../support/gateway-fixture.ts';
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

const progressOf = (id: string) =>
  fixture.admin.read<ErasureProgress | null>('personalData.progress', { kind: 'user', id });

/** Stops every batch at the notes of devices while `work` runs. */
async function whileStopped(work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: fixture.portal.installation.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('lock table device_note in exclusive mode');
    await work();
  } finally {
    await client.end();
  }
}

test('while rows are being erased, the person is named by the pseudonym, cannot sign in, and has no record', async () => {
  const [user, setup] = await fixture.user(address, 'Administrator');
  const { deviceId } = await fixture.customer(`Customer ${number}`);
  await setup.done('devices.addNote', { deviceId, text: 'replaced the battery' });
  await fixture.leave(user);
  const input = { kind: 'user', id: user.id, username: user.username };
  let erased: Promise<PersonErased> | undefined;
  await whileStopped(async () => {
    erased = fixture.admin.done<PersonErased>('personalData.erase', input);
    const progress = await until(() => progressOf(user.id));
    expect(progress).toMatchObject({ state: 'erasing', endedAt: null });
    const notes = await fixture.admin.read('devices.listNotes', { deviceId });
    expect(JSON.stringify(notes)).not.toContain(address);
    expect(JSON.stringify(notes)).toContain(progress.pseudonym);
    expect((await setup.ask('session.get')).code).toBe(2001);
    const found = await fixture.admin.read<Page<unknown>>('access.users.list', {
      filter: { text: address },
    });
    expect(found.rows).toEqual([]);
    const refused = await fixture.admin.order('personalData.export', { kind: 'user', id: user.id });
    expect(JSON.stringify(refused.body)).toContain('being-erased');
  });
  expect((await erased)?.pseudonym).toMatch(/^erased-/);
  await until(async () => (await progressOf(user.id))?.state === 'finishing');
  expect(await fixture.find(address)).toEqual([]);
  await fixture.pool.query('update erasure set due_at = now()');
  const ended = await until(async () => {
    const progress = await progressOf(user.id);
    return progress?.state === 'erased' && progress;
  });
  expect(ended).toMatchObject({ waitsFor: 0, retryAt: null, part: null });
  const [event] = await fixture.admin.trail('people.erasure-completed');
  expect(event?.data).toMatchObject({ userId: user.id, changed: ended.changed });
});

test('a sign-in during an erasure leaves neither a session nor the name', async () => {
  const [user] = await fixture.user(address, 'Viewer');
  await fixture.leave(user);
  const input = { kind: 'user', id: user.id, username: user.username };
  const [, ...signIns] = await Promise.allSettled([
    fixture.admin.done('personalData.erase', input),
    ...[1, 2, 3].map(() => AccessFixture.open(fixture.portal, address)),
  ]);
  for (const signIn of signIns) {
    if (signIn.status === 'fulfilled')
      expect((await signIn.value.ask('session.get')).code).toBe(2001);
  }
  await fixture.pool.query('update erasure set due_at = now()');
  await until(async () => (await progressOf(user.id))?.state === 'erased');
  expect(await fixture.find(address)).toEqual([]);
});
