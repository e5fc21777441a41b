import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GrantPreview, RoleRow, WhoCanAnswer } from '@deviceportal/contract/access';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Creates a signed-in user with a role that can change access, within its limits. */
async function manager(
  name: string,
  permissions: readonly string[],
  scope: object = {},
): Promise<AccessFixture> {
  await admin.createRole(name, ['access:read', 'access:manage', ...permissions], scope);
  await admin.invite(`${name}@example.com`, name);
  return AccessFixture.open(portal, `${name}@example.com`);
}

const editOf = (role: RoleRow, over: object = {}): object => ({
  id: role.id,
  name: role.name,
  description: role.description,
  permissions: role.permissions,
  scope: role.scope,
  basedOn: role.updatedAt,
  ...over,
});

describe('roles', () => {
  test('a role is created, changed, and deleted, with audit events', async () => {
    const made = await admin.createRole('Night shift', ['devices:read', 'commands:run:@reads'], {
      countries: ['DE'],
    });
    const permissions = ['devices:read', 'people:read'];
    const edited = await admin.done<RoleRow>('access.roles.edit', editOf(made, { permissions }));
    expect(edited).toMatchObject({ permissions, scope: { countries: ['DE'] }, builtin: false });
    await admin.done('access.roles.delete', { id: made.id });
    expect((await admin.ask('access.roles.get', { id: made.id })).code).toBe(2003);
    const trail = await admin.trail('access.role-edited', 'access.role-deleted');
    expect(trail.map(({ type }) => type)).toEqual(['access.role-deleted', 'access.role-edited']);
    expect(trail[1]?.data).toMatchObject({
      added: ['people:read'],
      removed: ['commands:run:@reads'],
      before: { name: 'Night shift', permissions: ['devices:read', 'commands:run:@reads'] },
      after: { name: 'Night shift', permissions },
    });
  });

  test('a name in use is 7000 with the role, case-insensitively', async () => {
    const { id } = await admin.createRole('Taken', ['devices:read']);
    const again = { name: 'TAKEN', permissions: ['devices:read'], scope: {} };
    const answer = await admin.order('access.roles.create', again);
    expect(answer.code).toBe(7000);
    expect(JSON.stringify(answer.body)).toContain(id);
  });

  test('built-in roles cannot be changed', async () => {
    const viewer = await admin.role('Viewer');
    const edit = editOf(viewer, { permissions: ['devices:read'] });
    expect((await admin.order('access.roles.edit', edit)).code).toBe(2004);
    expect((await admin.order('access.roles.delete', { id: viewer.id })).code).toBe(2004);
  });

  test('a concurrent change is not overwritten', async () => {
    const seen = await admin.createRole('Contested', ['devices:read']);
    const first = editOf(seen, { description: 'first' });
    await admin.done('access.roles.edit', first);
    const second = await admin.order('access.roles.edit', editOf(seen, { description: 'second' }));
    expect(second.code).toBe(2004);
    expect((await admin.role('Contested')).description).toBe('first');
  });

  test('[access-5] users cannot assign permissions that they do not have, or outside their scope', async () => {
    const limited = await manager('limited', ['devices:read'], { countries: ['DE', 'FR'] });
    const create = async (permissions: readonly string[], scope: object) =>
      (await limited.order('access.roles.create', { name: 'Given', permissions, scope })).code;
    expect(await create(['people:read'], { countries: ['DE'] })).toBe(1000);
    expect(await create(['devices:read'], {})).toBe(1000);
    expect(await create(['devices:read'], { countries: ['DE', 'PL'] })).toBe(1000);
    expect(await create(['devices:read'], { countries: ['DE'], models: ['X1'] })).toBeUndefined();
    const administrator = await limited.role('Administrator');
    const sam = (await admin.user('support')).id;
    const raise = { id: sam, add: [administrator.id] };
    expect((await limited.order('access.users.changeRoles', raise)).code).toBe(1000);
  });

  test('[access-6] users cannot extend their own access or remove their own permission to change access', async () => {
    const alone = await manager('alone', ['devices:read']);
    const { userId } = await alone.session();
    const own = await alone.role('alone');
    const add = [(await alone.role('Viewer')).id];
    expect((await alone.order('access.users.changeRoles', { id: userId, add })).code).toBe(1000);
    const raised = editOf(own, { permissions: [...own.permissions, 'api-calls:read'] });
    expect((await alone.order('access.roles.edit', raised)).code).toBe(1000);
    const lowered = editOf(own, { permissions: ['access:read', 'devices:read'] });
    expect((await alone.order('access.roles.edit', lowered)).code).toBe(1000);
    expect((await alone.order('access.roles.delete', { id: own.id })).code).toBe(1000);
    const suspend = { id: userId, act: 'suspend' };
    expect((await alone.order('access.users.changeStatus', suspend)).code).toBe(1000);
  });

  test('a preview shows what a role allows before it is assigned', async () => {
    const preview = await admin.read<GrantPreview>('access.roles.preview', {
      permissions: ['devices:read', 'commands:run:@reads', 'commands:run:storage/clean'],
      scope: {},
    });
    expect(preview.devices).toEqual({ count: 0, exact: true });
    const allowed = preview.commands.flatMap((each) => (each.allowed ? [each.command] : []));
    expect(allowed).toEqual(expect.arrayContaining(['logs/tail', 'storage/clean']));
    expect(allowed).not.toContain('restart/device');
  });

  test('lists who can run a command, with the roles that allow it', async () => {
    const answer = await admin.read<WhoCanAnswer>('access.roles.whoCan', {
      command: 'restart/device',
    });
    const found = answer.users.map(({ username, roles }) => [username, roles.map((r) => r.name)]);
    expect(found).toContainEqual(['operator@deviceportal.local', ['Operator']]);
    expect(JSON.stringify(found)).not.toContain('support@');
  });
});
