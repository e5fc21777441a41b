import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserRow } from '@deviceportal/contract/access';
import type { Notification } from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { awsSettings } from '../../support/aws/aws-settings.ts';
import { AccessFixture } from '../../support/access-fixture.ts';
import { lockOut as lockOutAt } from '../../support/lock-out.ts';
import { askPool, signInForTokens } from '../../support/portal-api.ts';
import { programEnv } from '../../support/programs/program-env.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';
import { commandFile } from '../../support/programs/program-files.ts';

const program = commandFile('admin');
let portal: TestServer;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const lockOut = (name: string): Promise<void> => lockOutAt(portal.url, name);

async function lettersTo(name: string): Promise<readonly { readonly subject: string }[]> {
  const reply = await fetch(`${portal.url}/outbox/messages?to=${encodeURIComponent(name)}`);
  return (await reply.json()) as { subject: string }[];
}

const lockOf = async ({ id }: Pick<UserRow, 'id'>) =>
  (await admin.read<UserRow>('access.users.get', { id })).lock;

test('[lock-out-1] a stranger who locks an account ends none of its sessions; its owner and administrators are notified', async () => {
  const address = 'locked-1@example.com';
  const user = await admin.invite(address, 'Viewer');
  const tokens = await signInForTokens(portal.url, address);
  await lockOut(address);
  const session = await askPool(portal.url, 'GetUser', { AccessToken: tokens.AccessToken });
  expect(session).toMatchObject({ Username: address });
  await expect(signInForTokens(portal.url, address)).resolves.toBeUndefined();
  expect(await lockOf(user)).toMatchObject({ wrong: 100, since: expect.any(String) });
  expect((await admin.user(address)).lock?.wrong).toBe(100);
  const subjects = (await lettersTo(address)).map(({ subject }) => subject);
  expect(subjects).toContain('Your Device Portal account is locked');
  await expect
    .poll(async () => (await admin.trail('access.account-locked'))[0]?.actor.id, { timeout: 5_000 })
    .toBe(user.id);
  const told = await admin.read<Page<Notification>>('notifications.list', {});
  expect(told.rows[0]).toMatchObject({ kind: 'account-locked', facts: { userId: user.id } });
}, 60_000);

test('an administrator unlocks an account, which is recorded; its owner signs in', async () => {
  const address = 'locked-2@example.com';
  const user = await admin.invite(address, 'Viewer');
  await lockOut(address);
  await admin.done('access.users.unlock', { id: user.id });
  expect(await lockOf(user)).toBeNull();
  await expect(signInForTokens(portal.url, address)).resolves.toBeDefined();
  const [event] = await admin.trail('access.user-unlocked');
  expect(event).toMatchObject({ data: { username: address, wrong: 100 } });
  expect(event?.actor.name).toBe('admin@deviceportal.local');
}, 60_000);

test('a user can unlock no account without the permission, nor their own', async () => {
  const viewer = await AccessFixture.open(portal, 'viewer');
  const own = await admin.session();
  const other = await admin.user('operator');
  expect((await viewer.order('access.users.unlock', { id: other.id })).code).toBe(1000);
  expect((await admin.order('access.users.unlock', { id: own.userId })).code).toBe(1000);
  const manager = await admin.createRole('Access only', ['access:read', 'access:manage']);
  await admin.invite('lesser@example.com', manager.name);
  const lesser = await AccessFixture.open(portal, 'lesser@example.com');
  expect((await lesser.order('access.users.unlock', { id: own.userId })).code).toBe(1000);
});

test('the operator can unlock the last administrator', async () => {
  const name = 'admin@deviceportal.local';
  await lockOut(name);
  const { dataDir, databaseUrl } = portal.installation;
  const settings = await awsSettings(databaseUrl, {});
  const run = (...words: readonly string[]) => {
    const args = [program, ...words, '--data-dir', dataDir];
    const env = { ...programEnv, ...settings, DEVICEPORTAL_DATABASE_URL: databaseUrl };
    return spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  };
  expect(run('unlock', name).stdout).toMatch(/^Unlocked admin@.* after 100 incorrect codes/);
  expect(run('unlock', name).stdout).toMatch(/is not locked/);
  expect(run('unlock', 'stranger@example.com')).toMatchObject({ status: 1 });
  await expect(signInForTokens(portal.url, name)).resolves.toBeDefined();
  const [event] = await admin.trail('access.user-unlocked');
  expect(event).toMatchObject({ actor: { kind: 'system' }, data: { username: name } });
}, 60_000);
