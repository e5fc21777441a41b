import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import {
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '../../../../packages/identity/tests/support/software-authenticator.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { mutate } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

type Creation = Parameters<SoftwareAuthenticator['create']>[0];

let portal: TestServer;
let admin: AccessFixture;
let owner: UserRow;
let people = 0;
beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(async () => {
  people += 1;
  owner = await admin.invite(`owner-${people}@example.com`, 'Viewer');
  await addPasskey(await AccessFixture.open(portal, owner.username));
});

async function addPasskey(user: AccessFixture): Promise<void> {
  const options = await user.done<Creation>('passkeys.begin');
  const credential = createSoftwareAuthenticator(portal.url).create(options);
  await user.done('passkeys.add', { credential });
}

const countOf = ({ id }: Pick<UserRow, 'id'>): Promise<number> =>
  admin.read('access.users.countPasskeys', { id });
const remove = (user: AccessFixture, { id }: Pick<UserRow, 'id'>) =>
  user.order('access.users.removePasskeys', { id });

test('an administrator removes the passkeys of a user who lost them: recorded, and the user is notified', async () => {
  expect(await countOf(owner)).toBe(1);
  expect(await remove(admin, owner)).toMatchObject({ status: 200 });
  expect(await countOf(owner)).toBe(0);
  const [event] = await admin.trail('access.user-changed');
  expect(event).toMatchObject({
    actor: { name: 'admin@deviceportal.local' },
    data: { changed: 'passkeys', username: owner.username },
  });
  const to = encodeURIComponent(owner.username);
  const [letter] = (await (await fetch(`${portal.url}/outbox/messages?to=${to}`)).json()) as {
    text: string;
  }[];
  expect(letter?.text).toMatch(
    /^An administrator removed all passkeys and recovery codes of owner/,
  );
  expect(letter?.text).toContain('If you didn’t ask for this');
  // A code is sufficient again.
  await AccessFixture.open(portal, owner.username);
});

test('nothing happens, and nothing is recorded, for a user without passkeys', async () => {
  await remove(admin, owner);
  const before = (await admin.trail('access.user-changed')).length;
  expect(await remove(admin, owner)).toMatchObject({ status: 200 });
  expect((await admin.trail('access.user-changed')).length).toBe(before);
});

test('a stolen session without a fresh second step removes none', async () => {
  const token = await portal.signIn('admin');
  const answer = await mutate(portal.url, {
    ...{ path: 'access.users.removePasskeys', input: { id: owner.id }, token, confirms: false },
  });
  expect(answer).toMatchObject({ code: 1000, reason: 'step-up-required' });
  expect(await countOf(owner)).toBe(1);
});

test('a user removes none without the permission, none of their own, and none of a user with more permissions', async () => {
  const operator = await AccessFixture.open(portal, 'operator');
  expect(await remove(operator, owner)).toMatchObject({ code: 1000 });
  const own = await admin.session();
  expect(await remove(admin, { id: own.userId })).toMatchObject({ code: 1000 });
  const name = `Access only ${people}`;
  const manager = await admin.createRole(name, ['access:read', 'access:manage']);
  await admin.invite(`lesser-${people}@example.com`, manager.name);
  const lesser = await AccessFixture.open(portal, `lesser-${people}@example.com`);
  expect(await remove(lesser, owner)).toMatchObject({ code: 1000, reason: 'permission-not-held' });
  // A member of the administrators' group, without an assigned role.
  await addPasskey(admin);
  expect(await remove(lesser, { id: own.userId })).toMatchObject({
    ...{ code: 1000, reason: 'permission-not-held' },
  });
  expect(await countOf(owner)).toBe(1);
  expect(await countOf({ id: own.userId })).toBe(1);
});
