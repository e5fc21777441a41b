import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OwnSessions, UserPage, UserSession } from '@deviceportal/contract/access';
import { AccessFixture } from '../support/access-fixture.ts';
import { signIn } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let number = 0;
let address: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(() => {
  number += 1;
  address = `person-${number}@example.com`;
});

describe('users', () => {
  test('an invited user is notified, signs in, and has exactly the assigned permissions', async () => {
    const invited = await admin.invite(address, 'Viewer');
    expect(invited).toMatchObject({ username: address, roles: ['Viewer'], lastSignInAt: null });
    const letters = await fetch(`${portal.url}/outbox/messages?to=${address}`);
    expect(JSON.stringify(await letters.json())).toContain(address);
    const session = await (await AccessFixture.open(portal, address)).session();
    expect(session.roles).toEqual(['Viewer']);
    expect((await admin.user(address)).lastSignInAt).not.toBeNull();
  });

  test('an identifier in use is 7001 with the user', async () => {
    const { id } = await admin.invite(address, 'Viewer');
    const again = await admin.order('access.users.invite', {
      identifier: address.toUpperCase(),
      roleIds: [],
    });
    expect(again.code).toBe(7001);
    expect(JSON.stringify(again.body)).toContain(id);
  });

  test('a username needs an address for codes, reported at its field', async () => {
    const named = { identifier: `nadia${number}`, roleIds: [] };
    const refused = await admin.order('access.users.invite', named);
    expect(refused.issues).toMatchObject([{ path: ['contact'] }]);
    await admin.done('access.users.invite', { ...named, contact: '+48 123 456 789' });
    expect(await admin.user(named.identifier)).toMatchObject({ phone: '+48123456789' });
  });

  test('a suspended user is rejected at the next call and cannot sign in until restored', async () => {
    const { id } = await admin.invite(address, 'Viewer');
    const person = await AccessFixture.open(portal, address);
    await person.session();
    await admin.done('access.users.changeStatus', {
      ...{ id, act: 'suspend', reason: 'lost phone', stopQueued: true },
    });
    expect((await person.ask('session.get')).code).toBe(2001);
    await expect(signIn(portal.url, address)).rejects.toThrow(/User is disabled|NotAuthorized/);
    await admin.done('access.users.changeStatus', { id, act: 'restore' });
    expect((await (await AccessFixture.open(portal, address)).session()).roles).toEqual(['Viewer']);
    const trail = await admin.trail('access.user-status-changed');
    expect(trail[1]?.data).toMatchObject({
      ...{ to: 'Suspended', reason: 'lost phone', stopQueued: true },
    });
  });

  test('a resigned user loses all roles, and restoring does not assign them', async () => {
    const { id } = await admin.invite(address, 'Viewer');
    await admin.done('access.users.changeStatus', { id, act: 'resign' });
    await admin.done('access.users.changeStatus', { id, act: 'archive' });
    expect(await admin.user(address)).toMatchObject({ status: 'Archived', roles: [] });
    const suspend = { id, act: 'suspend' };
    expect((await admin.order('access.users.changeStatus', suspend)).code).toBe(2004);
  });

  test('an administrator is one in portal and pool, and in neither after the role is removed', async () => {
    const { id } = await admin.invite(address, 'Administrator');
    expect((await admin.user(address)).groups).toEqual(['DevicePortal_Admin']);
    const person = await AccessFixture.open(portal, address);
    expect((await person.ask('access.users.list', {})).status).toBe(200);
    const remove = [(await admin.role('Administrator')).id];
    await admin.done('access.users.changeRoles', { id, remove });
    // With a token that still contains the group.
    expect((await person.ask('access.users.list', {})).code).toBe(1000);
  });

  test('[access-26] sessions are listed with their source address, and end individually or together', async () => {
    const { id } = await admin.invite(address, 'Viewer');
    const people: AccessFixture[] = [];
    for (let each = 0; each < 3; each += 1) {
      const person = await AccessFixture.open(portal, address);
      await person.session();
      people.push(person);
    }
    const sessions = await admin.read<UserSession[]>('access.users.sessions', { id });
    expect(sessions).toHaveLength(3);
    expect(sessions[0]?.address).toMatch(/127\.0\.0\.1|::1/);
    await admin.done('access.users.endSession', { id, sessionId: sessions[0]?.id });
    const answers = async () => {
      const codes = await Promise.all(
        people.map(async (each) => (await each.ask('session.get')).code),
      );
      return codes.filter((code) => code === 2001).length;
    };
    expect(await answers()).toBe(1);
    await admin.done('access.users.endAllSessions', { id });
    expect(await answers()).toBe(3);
  });

  test('[access-30] users see their own sessions, end one or all others, and never another user’s', async () => {
    await admin.invite(address, 'Viewer');
    const people: AccessFixture[] = [];
    for (let each = 0; each < 3; each += 1) people.push(await AccessFixture.open(portal, address));
    const [here, second, third] = people as [AccessFixture, AccessFixture, AccessFixture];
    const { known, sessions } = await here.read<OwnSessions>('session.signIns');
    expect(known).toBe(true);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const [foreign] = (await admin.read<OwnSessions>('session.signIns')).sessions;
    const refused = await here.order('session.endSignIn', { sessionId: foreign?.id });
    expect(refused.code).toBe(2003);
    const secondId = (await second.read<OwnSessions>('session.signIns')).sessions.find(
      ({ current }) => current,
    )?.id;
    await here.done('session.endSignIn', { sessionId: secondId });
    expect((await second.ask('session.get')).code).toBe(2001);
    await here.done('session.endOtherSignIns');
    expect((await third.ask('session.get')).code).toBe(2001);
    expect((await here.ask('session.get')).status).toBe(200);
    expect((await admin.ask('session.get')).status).toBe(200);
  });

  test('of two administrators who remove each other concurrently, one remains', async () => {
    const second = await admin.invite(address, 'Administrator');
    const other = await AccessFixture.open(portal, address);
    const first = await admin.session();
    const remove = [(await admin.role('Administrator')).id];
    const answers = await Promise.all([
      admin.order('access.users.changeRoles', { id: second.id, remove }),
      other.order('access.users.changeRoles', { id: first.userId, remove }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const left = answers[0]?.status === 200 ? admin : other;
    const page = await left.read<UserPage>('access.users.list', {
      filter: { roles: ['Administrator'] },
    });
    expect(page.rows).toHaveLength(1);
    admin = left;
  });

  test('pages continue where the previous one ended, with every sort order', async () => {
    await admin.invite(address, 'Viewer');
    for (const sort of ['username', 'lastSignIn', 'created']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: UserPage = await admin.read('access.users.list', {
          sort,
          descending: true,
          pageSize: 2,
          cursor,
        });
        seen.push(...page.rows.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor !== null);
      const all = await admin.read<UserPage>('access.users.list', { sort, pageSize: 100 });
      expect(seen.toReversed()).toEqual(all.rows.map(({ id }) => id));
      expect(all.count).toBe(seen.length);
    }
    const away = { filter: { awayDays: 90 }, pageSize: 100 };
    const { rows } = await admin.read<UserPage>('access.users.list', away);
    expect(rows.map(({ username }) => username)).toContain(address);
    expect(rows.every(({ lastSignInAt }) => lastSignInAt === null)).toBe(true);
  });
});
