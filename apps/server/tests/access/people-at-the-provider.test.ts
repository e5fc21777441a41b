import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RoleRow, UserPage, UserRow, UserSession } from '@deviceportal/contract/access';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Page } from '@deviceportal/contract/pages';
import type { SessionDetail } from '@deviceportal/contract/session';
import { logInByCode, ProviderFixture } from '../support/provider-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: ProviderFixture;
let roles: readonly RoleRow[];
let number = 0;
let address: string;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_PROVIDER_SET: 'authing' });
  admin = await ProviderFixture.open(portal, 'admin');
  roles = await admin.read<RoleRow[]>('access.roles.list');
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(() => {
  number += 1;
  address = `invited-${number}@example.com`;
});

const roleIds = (...names: readonly string[]): string[] =>
  roles.filter(({ name }) => names.includes(name)).map(({ id }) => id);

const invite = (identifier: string, ...names: readonly string[]): Promise<UserRow> =>
  admin.done('access.users.invite', { identifier, name: 'Ines', roleIds: roleIds(...names) });

const changeStatus = (id: string, act: string): Promise<unknown> =>
  admin.done('access.users.changeStatus', { id, act, reason: 'left' });

async function trail(type: string): Promise<readonly AuditEvent[]> {
  return (await admin.read<Page<AuditEvent>>('auditTrail.list', { filter: { types: [type] } }))
    .rows;
}

/** An account with an email address that was not verified. */
async function registerUnproven(email: string): Promise<string> {
  const database = new pg.Client(portal.installation.databaseUrl);
  await database.connect();
  const id = `squatter-${number}`;
  await database.query(
    `with made as (
       insert into identity.account (account_id, directory, email, created_at, modified_at)
       select $1, 'provider/' || user_pool_id, $2, now(), now() from identity.provider_application)
     insert into identity.provider_user (id, password_hash) values ($1, 'a password')`,
    [id, email],
  );
  await database.end();
  return id;
}

describe('users who sign in at the provider at /idp', () => {
  test('[provider-people-1] an invited user is notified, signs in with a code, and has exactly the assigned permissions', async () => {
    const invited = await invite(address, 'Viewer');
    expect(invited).toMatchObject({ username: address, name: 'Ines', roles: ['Viewer'] });
    const letters = await fetch(`${portal.url}/outbox/messages?to=${address}`);
    expect(JSON.stringify(await letters.json())).toContain(`${portal.url}`);
    const person = await ProviderFixture.open(portal, address);
    expect(await person.read<SessionDetail>('session.get')).toMatchObject({
      displayName: 'Ines',
      roles: ['Viewer'],
    });
    const made = (await trail('access.user-created')).find(
      ({ data }) => data['username'] === address,
    );
    expect(made?.actor.name).toBe('admin@deviceportal.local');
  });

  test('an address that is already in use is 7001 with the user', async () => {
    const { id } = await invite(address, 'Viewer');
    const again = await admin.order('access.users.invite', {
      identifier: address.toUpperCase(),
      roleIds: [],
    });
    expect(again.code).toBe(7001);
    expect(JSON.stringify(again.body)).toContain(id);
  });

  test('an account with the invited address that was not verified does not accept the invitation', async () => {
    const squatterId = await registerUnproven(address);
    const invited = await invite(address, 'Operator');
    const { data } = await logInByCode(portal.url, address);
    expect(data?.id).not.toBe(squatterId);
    expect(invited.roles).toEqual(['Operator']);
  });

  test('a suspended user is rejected at the next call and cannot sign in until restored', async () => {
    const { id } = await invite(address, 'Viewer');
    const person = await ProviderFixture.open(portal, address);
    await person.read('session.get');
    await changeStatus(id, 'suspend');
    expect((await person.ask('session.get')).code).toBe(2001);
    expect((await logInByCode(portal.url, address)).code).not.toBe(200);
    await changeStatus(id, 'restore');
    const again = await ProviderFixture.open(portal, address);
    expect(await again.read<SessionDetail>('session.get')).toMatchObject({ roles: ['Viewer'] });
    const disabled = (await trail('access.user-disabled')).find(
      ({ data }) => data['username'] === address,
    );
    expect(disabled?.data).toMatchObject({ from: 'Activated', to: 'Suspended' });
  });

  test('a resigned user loses all roles and cannot sign in', async () => {
    const { id } = await invite(address, 'Viewer');
    await changeStatus(id, 'resign');
    await changeStatus(id, 'archive');
    const found = await admin.read<UserRow>('access.users.get', { id });
    expect(found).toMatchObject({ status: 'Archived', roles: [] });
    expect((await logInByCode(portal.url, address)).code).not.toBe(200);
  });

  test('an administrator also has the role at the provider until it is removed', async () => {
    const { id } = await invite(address, 'Administrator');
    expect(await admin.read<UserRow>('access.users.get', { id })).toMatchObject({
      groups: ['DevicePortal_Admin'],
    });
    const person = await ProviderFixture.open(portal, address);
    expect((await person.ask('access.users.list', {})).status).toBe(200);
    await admin.done('access.users.changeRoles', { id, remove: roleIds('Administrator') });
    expect((await person.ask('access.users.list', {})).code).toBe(1000);
    expect((await trail('access.group-member-removed'))[0]?.data).toMatchObject({
      group: 'DevicePortal_Admin',
      username: address,
    });
  });

  test('all sessions are listed and end with the sign-out from everywhere', async () => {
    const { id } = await invite(address, 'Viewer');
    const first = await ProviderFixture.open(portal, address);
    const second = await ProviderFixture.open(portal, address);
    const sessions = await admin.read<UserSession[]>('access.users.sessions', { id });
    expect(sessions).toHaveLength(2);
    await admin.done('access.users.endSession', { id, sessionId: sessions[0]?.id });
    expect((await second.ask('session.get')).code).toBe(2001);
    expect((await first.ask('session.get')).status).toBe(200);
    const ended = { id, sessionId: sessions[0]?.id };
    expect((await admin.order('access.users.endSession', ended)).code).toBe(2003);
    await admin.done('access.users.endAllSessions', { id });
    expect((await first.ask('session.get')).code).toBe(2001);
    expect(await admin.read<UserSession[]>('access.users.sessions', { id })).toEqual([]);
  });

  test('a username needs an address, and an invalid number is reported at its field', async () => {
    const named = { identifier: `nadia${number}`, roleIds: [] };
    expect((await admin.order('access.users.invite', named)).issues).toMatchObject([
      { path: ['contact'] },
    ]);
    await admin.done('access.users.invite', { ...named, contact: '+48 123 456 789' });
    const page = await admin.read<UserPage>('access.users.list', {
      filter: { text: named.identifier },
    });
    expect(page.rows[0]).toMatchObject({ username: named.identifier, phone: '+48123456789' });
  });

  test('two concurrent invitations of the same person create one account', async () => {
    const input = { identifier: address, roleIds: roleIds('Viewer') };
    const answers = await Promise.all([
      admin.order('access.users.invite', input),
      admin.order('access.users.invite', input),
    ]);
    expect(answers.map(({ code }) => code ?? 200).toSorted()).toEqual([200, 7001]);
  });
});
