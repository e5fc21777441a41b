import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import type { CaseDetail } from '@deviceportal/contract/cases';
import type { Notification } from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../support/access-fixture.ts';
import { until } from '../support/gateway-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let database: pg.Client;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  database = new pg.Client({ connectionString: portal.installation.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await portal[Symbol.asyncDispose]();
});

let people = 0;

/** Creates a user with these roles. */
async function colleague(...roles: readonly string[]): Promise<AccessFixture> {
  people += 1;
  const address = `colleague-${people}@example.com`;
  await admin.invite(address, ...roles);
  return AccessFixture.open(portal, address);
}

/** Creates a user who can change access and has another role, with an unlimited scope by default. */
async function approver(
  permissions: readonly string[],
  scope: object = {},
): Promise<AccessFixture> {
  people += 1;
  const role = `Approver ${people}`;
  await admin.createRole(role, ['access:read', 'access:manage', ...permissions], scope);
  return colleague(role);
}

async function ask(setup: AccessFixture, role: string, over: object = {}): Promise<AccessGrantRow> {
  const { id: roleId } = await admin.role(role);
  return setup.done('access.accessGrants.ask', {
    roleId,
    reason: 'the nightly job fails',
    ...over,
  });
}

const grant = (setup: AccessFixture, { id }: AccessGrantRow): Promise<AccessGrantRow> =>
  setup.done('access.accessGrants.grant', { id });

/** Whether the user can read API calls now. Auditor allows it, Support does not. */
const reads = async (setup: AccessFixture): Promise<boolean> =>
  (await setup.ask('apiCalls.list', {})).status === 200;

const lists = async (
  setup: AccessFixture,
  input: object = {},
): Promise<readonly AccessGrantRow[]> =>
  (await setup.read<Page<AccessGrantRow>>('access.accessGrants.list', input)).rows;

/** Moves the start of the grant into the past. */
const passTime = ({ id }: AccessGrantRow, interval: string): Promise<unknown> =>
  database.query(
    `update access_grant set ends_at = ends_at - $2::interval, asked_at = asked_at - $2::interval,
       decided_at = decided_at - $2::interval where id = $1`,
    [id, interval],
  );

describe('temporary access', () => {
  test('is approved by another user, takes effect immediately, shows its end, and is recorded in the audit trail', async () => {
    const sam = await colleague('Support');
    expect(await reads(sam)).toBe(false);
    const asked = await ask(sam, 'Auditor', { minutes: 30 });
    expect(asked).toMatchObject({ state: 'waiting', mine: true, endsAt: null });
    expect(await reads(sam)).toBe(false);
    expect(await lists(admin)).toContainEqual(expect.objectContaining({ id: asked.id }));
    const given = await grant(admin, asked);
    expect(await reads(sam)).toBe(true);
    const session = await sam.session();
    expect(session.roles).toEqual(['Support', 'Auditor']);
    expect(session.accessGrants).toMatchObject([{ role: 'Auditor', endsAt: given.endsAt }]);
    const lasts = Date.parse(given.endsAt ?? '') - Date.parse(given.decidedAt ?? '');
    expect(lasts).toBe(30 * 60_000);
    const trail = await admin.trail('access.elevation-asked', 'access.elevation-granted');
    expect(trail.slice(0, 2).map(({ type }) => type)).toEqual([
      'access.elevation-granted',
      'access.elevation-asked',
    ]);
    expect(trail[0]).toMatchObject({
      actor: { name: 'admin@deviceportal.local' },
      data: { role: 'Auditor', minutes: 30, purpose: 'the nightly job fails' },
    });
  });

  test('expires at its end time, which the audit trail records exactly', async () => {
    const sam = await colleague('Support');
    const given = await grant(admin, await ask(sam, 'Auditor', { minutes: 5 }));
    await passTime(given, '4 minutes 58 seconds');
    expect(await reads(sam)).toBe(true);
    await passTime(given, '2 seconds');
    expect(await reads(sam)).toBe(false);
    expect((await sam.session()).accessGrants).toEqual([]);
    const [row] = await until(async () => {
      const rows = await lists(sam, { open: false });
      return rows[0]?.state === 'ended' && rows;
    });
    expect(row).toMatchObject({ endReason: 'time', endedBy: null, endedAt: row?.endsAt });
    const trail = await admin.trail('access.elevation-ended');
    const event = trail.find(({ data }) => data['elevationId'] === given.id);
    expect(event).toMatchObject({ data: { occurredAt: row?.endsAt }, actor: { kind: 'system' } });
  });

  test('can be ended by its user and by a user with permission', async () => {
    const [sam, kim] = [await colleague('Support'), await colleague('Support')];
    const back = await grant(admin, await ask(sam, 'Auditor'));
    await sam.done('access.accessGrants.end', { id: back.id });
    expect(await reads(sam)).toBe(false);
    const taken = await grant(admin, await ask(sam, 'Auditor'));
    expect((await kim.order('access.accessGrants.end', { id: taken.id })).code).toBe(2003);
    const viewer = await approver(['devices:read']);
    expect((await viewer.order('access.accessGrants.end', { id: taken.id })).code).toBe(1000);
    await admin.done('access.accessGrants.end', { id: taken.id });
    expect(await reads(sam)).toBe(false);
    const rows = await lists(sam, { open: false });
    expect(rows.map(({ endReason }) => endReason)).toEqual(['taken', 'given-back']);
    const told = await sam.read<Page<Notification>>('notifications.list', {});
    expect(told.rows.map(({ kind }) => kind)).toContain('elevation-ended');
  });

  test('rejects own requests, permissions that the approver does not have, and scopes outside the approver’s', async () => {
    const boss = await approver(['api-calls:read'], { countries: ['DE'] });
    await admin.createRole('Caller', ['api-calls:read', 'devices:read']);
    const own = await ask(boss, 'Caller');
    expect((await boss.order('access.accessGrants.grant', { id: own.id })).code).toBe(1000);
    const sam = await colleague('Viewer');
    const everywhere = await ask(sam, 'Caller');
    expect((await boss.order('access.accessGrants.grant', { id: everywhere.id })).code).toBe(1000);
    await sam.done('access.accessGrants.end', { id: everywhere.id });
    await admin.createRole('Calls', ['api-calls:read']);
    const there = await ask(sam, 'Calls', { scope: { countries: ['DE'] } });
    expect((await grant(boss, there)).state).toBe('running');
    expect((await sam.session()).accessGrants[0]?.scope.countries).toEqual(['DE']);
  });

  test('does not allow assigning its permissions, permanently or temporarily', async () => {
    await admin.createRole('Doorkeeper', ['access:read', 'access:manage']);
    const sam = await colleague('Doorkeeper');
    await grant(admin, await ask(sam, 'Auditor'));
    const kim = await colleague('Support');
    const { userId } = await kim.session();
    const add = [(await admin.role('Auditor')).id];
    const change = await sam.order('access.users.changeRoles', { id: userId, add });
    expect(change.code).toBe(1000);
    const asked = await ask(kim, 'Auditor');
    expect((await sam.order('access.accessGrants.grant', { id: asked.id })).code).toBe(1000);
  });

  test('does not count as the last administrator', async () => {
    const sam = await colleague('Support');
    await grant(admin, await ask(sam, 'Administrator'));
    const last = await admin.user('admin');
    const remove = [(await admin.role('Administrator')).id];
    const answer = await sam.order('access.users.changeRoles', { id: last.id, remove });
    expect(answer.code).toBe(2004);
  });

  test('is denied with a comment, decided once, and requested once', async () => {
    const sam = await colleague('Support');
    const asked = await ask(sam, 'Auditor');
    const { id: roleId } = await admin.role('Auditor');
    const again = await sam.order('access.accessGrants.ask', { roleId, reason: 'once more' });
    expect(again.code).toBe(2004);
    const answers = await Promise.all([
      admin.order('access.accessGrants.grant', { id: asked.id }),
      admin.order('access.accessGrants.refuse', { id: asked.id, note: 'ask the night shift' }),
    ]);
    expect(answers.map(({ code }) => code ?? 0).toSorted((a, b) => a - b)).toEqual([0, 2004]);
    const late = await admin.order('access.accessGrants.refuse', { id: asked.id });
    expect(late.code).toBe(2004);
    const told = await sam.read<Page<Notification>>('notifications.list', {});
    expect(told.rows.filter(({ kind }) => kind === 'elevation-decided')).toHaveLength(1);
  });

  test('notifies the approvers and closes their notifications after the decision', async () => {
    const [boss, other] = [await approver(['api-calls:read']), await approver(['devices:read'])];
    await admin.createRole('Just calls', ['api-calls:read']);
    const sam = await colleague('Support');
    const asked = await ask(sam, 'Just calls');
    const askedOf = async (setup: AccessFixture): Promise<readonly Notification[]> =>
      (await setup.read<Page<Notification>>('notifications.list', {})).rows.filter(
        ({ facts }) => facts['elevationId'] === asked.id,
      );
    expect(await askedOf(boss)).toMatchObject([{ kind: 'elevation-asked', readAt: null }]);
    expect(await askedOf(other)).toEqual([]);
    await grant(admin, asked);
    expect((await askedOf(boss))[0]?.readAt).not.toBeNull();
  });

  test('lists only own requests without permission to read access', async () => {
    const [sam, kim] = [await colleague('Support'), await colleague('Support')];
    const asked = await ask(sam, 'Auditor');
    expect((await lists(kim)).map(({ id }) => id)).toEqual([]);
    expect((await lists(sam)).map(({ id }) => id)).toEqual([asked.id]);
    expect((await lists(admin, { mine: true })).map(({ id }) => id)).not.toContain(asked.id);
  });

  test('ends when its role is changed or its user is suspended', async () => {
    const role = await admin.createRole('Short lived', ['api-calls:read']);
    const [sam, kim] = [await colleague('Support'), await colleague('Support')];
    await grant(admin, await ask(sam, 'Short lived'));
    await grant(admin, await ask(kim, 'Short lived'));
    const { userId } = await kim.session();
    await admin.done('access.users.changeStatus', { id: userId, act: 'suspend' });
    const { name, description, permissions, scope, updatedAt: basedOn } = role;
    const edit = { id: role.id, name, description, permissions, scope, basedOn };
    await admin.done('access.roles.edit', { ...edit, permissions: ['access:manage'] });
    expect((await sam.session()).grants.flatMap((each) => each.permissions)).not.toContain(
      'access:manage',
    );
    const rows = await lists(admin, { open: false });
    const ends = rows.filter(({ roleName }) => roleName === 'Short lived');
    expect(ends.map(({ endReason }) => endReason).toSorted()).toEqual([
      'role-changed',
      'user-left',
    ]);
  });

  test('ends with the case in which it was requested, which must be the requester’s own', async () => {
    const person = '019a0000-0000-7000-8000-00000000e1e1';
    await database.query(
      `insert into person (id, username, name, country, language) values ($1, 'cara', 'Cara', 'DE', 'en')`,
      [person],
    );
    const [sam, kim] = [await colleague('Support'), await colleague('Support')];
    const { id: caseId } = await sam.done<CaseDetail>('cases.open', { personId: person });
    const { id: roleId } = await admin.role('Auditor');
    const foreign = { roleId, reason: 'somebody else’s', caseId };
    expect((await kim.order('access.accessGrants.ask', foreign)).code).toBe(2003);
    const given = await grant(admin, await ask(sam, 'Auditor', { caseId }));
    expect(given.caseId).toBe(caseId);
    await sam.done('cases.close', { id: caseId, outcome: 'resolved', text: '' });
    expect(await reads(sam)).toBe(false);
    expect((await lists(sam, { open: false }))[0]?.endReason).toBe('case-closed');
  });

  test('expires a request without a decision after a day', async () => {
    const sam = await colleague('Support');
    const asked = await ask(sam, 'Auditor');
    await passTime(asked, '1 day');
    await until(async () => (await lists(sam, { open: false }))[0]?.state === 'lapsed');
    expect((await admin.order('access.accessGrants.grant', { id: asked.id })).code).toBe(2004);
  });

  test('rejects requests for a role that the user already has or for a scope larger than the role’s', async () => {
    const sam = await colleague('Support');
    const code = async (role: string, scope: object = {}) => {
      const { id: roleId } = await admin.role(role);
      const asked = { roleId, scope, reason: 'let me see' };
      return (await sam.order('access.accessGrants.ask', asked)).code;
    };
    expect(await code('Viewer')).toBe(2004);
    await admin.createRole('German', ['api-calls:read'], { countries: ['DE'] });
    expect(await code('German')).toBe(2004);
    expect(await code('German', { countries: ['DE'] })).toBeUndefined();
  });

  test('explains to users why they cannot decide, with the same result as the decision', async () => {
    const boss = await approver(['api-calls:read'], { countries: ['DE'] });
    await admin.createRole('Reads calls', ['api-calls:read']);
    const sam = await colleague('Viewer');
    const asked = await ask(sam, 'Reads calls');
    const obstacleFor = async (setup: AccessFixture) =>
      (await lists(setup)).find(({ id }) => id === asked.id)?.obstacle;
    expect(await obstacleFor(sam)).toEqual({ reason: 'own', permissions: [] });
    expect(await obstacleFor(boss)).toEqual({
      reason: 'not-held',
      permissions: ['api-calls:read'],
    });
    const auditor = await colleague('Auditor');
    expect(await obstacleFor(auditor)).toEqual({
      reason: 'not-held',
      permissions: ['access:manage'],
    });
    expect(await obstacleFor(admin)).toBeNull();
    // Temporary access allows reading the list, but not approving.
    await grant(admin, await ask(boss, 'Reads calls'));
    expect(await obstacleFor(boss)).toMatchObject({ reason: 'not-held' });
    expect((await boss.order('access.accessGrants.grant', { id: asked.id })).code).toBe(1000);
    expect(await grant(admin, asked)).toMatchObject({ state: 'running', obstacle: null });
  });
});
