import { newId } from '@deviceportal/contract/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addDepartmentMember,
  insertDepartment,
  insertOrganization,
} from '../../src/departments/department-store.ts';
import { insertResource, setGrant, type Grant } from '../../src/resources/resource-store.ts';
import { addRoleMember, ensureRole, listRolesOf } from '../../src/roles/role-store.ts';
import { bothClients, type Client } from './support/both-clients.ts';
import { freshName } from './support/fresh-names.ts';
import { openProvider, type OpenProvider } from './support/open-provider.ts';

const PASSWORD = 'Correct horse 1';
const at = new Date();
const email = `${freshName()}@example.com`;
const userPoolId = 'pool-1';

let idp: OpenProvider;
let userId: string;

beforeAll(async () => {
  idp = await openProvider({ limits: 'off' });
  ({ id: userId } = await idp.makeUser({ email, password: PASSWORD }));
  const { pool } = idp;
  await insertOrganization(pool, { id: 'org', userPoolId, name: 'ACME' }, at);
  await insertDepartment(pool, { id: 'root', orgId: 'org', code: 'acme', name: 'ACME' }, at);
  await insertDepartment(
    pool,
    { id: 'support', orgId: 'org', parentId: 'root', code: 'sup', name: 'Support', order: 2 },
    at,
  );
  await insertDepartment(
    pool,
    { id: 'night', orgId: 'org', parentId: 'support', name: 'Night' },
    at,
  );
  await addDepartmentMember(pool, { departmentId: 'support', userId, isMain: true }, at);
  const roleId = await role('agent', 'default');
  await role('agent', 'elsewhere');
  await pool.query('update identity.provider_role set parent_id = $1 where id = $2', [
    await ensureRole(pool, { id: newId(), userPoolId, namespace: 'default', code: 'staff' }, at),
    roleId,
  ]);
});
afterAll(() => idp[Symbol.asyncDispose]());

async function role(code: string, namespace: string): Promise<string> {
  const roleId = await ensureRole(idp.pool, { id: newId(), userPoolId, namespace, code }, at);
  await addRoleMember(idp.pool, { roleId, userId }, at);
  return roleId;
}

async function signedIn(makeClient: (provider: OpenProvider) => Client): Promise<Client> {
  const client = makeClient(idp);
  await client.loginByEmail(email, PASSWORD);
  return client;
}

it('a role includes the role above it, which the person does not hold', async () => {
  const roles = await listRolesOf(idp.pool, userId, 'default');
  expect(roles).toMatchObject([
    { code: 'agent', createdAt: at, parent: { code: 'staff', userPoolId, createdAt: at } },
  ]);
  expect(await listRolesOf(idp.pool, userId, 'elsewhere')).toMatchObject([{ parent: null }]);
});

describe.each(bothClients)('departments, roles, and resources with %s', (_name, makeClient) => {
  it('a department includes its path from the root', async () => {
    const client = await signedIn(makeClient);
    const { totalCount, list } = (await client.listDepartments()) as never as {
      totalCount: number;
      list: { isMainDepartment: boolean; department: object }[];
    };
    expect(totalCount).toBe(1);
    expect(list[0]).toMatchObject({
      isMainDepartment: true,
      department: {
        id: 'support',
        name: 'Support',
        depth: 1,
        root: false,
        order: 2,
        path: ['root', 'support'],
        codePath: ['acme', 'sup'],
        namePath: ['ACME', 'Support'],
        children: ['night'],
      },
    });
    expect(await client.listOrgs()).toMatchObject([{ id: 'support' }]);
  });

  it('a role is valid only in its namespace', async () => {
    const client = await signedIn(makeClient);
    expect(await client.hasRole('agent')).toBe(true);
    expect(await client.hasRole('agent', 'elsewhere')).toBe(true);
    expect(await client.hasRole('agent', 'nowhere')).toBe(false);
    // The role above gives what it may, and is not held itself.
    expect(await client.hasRole('staff')).toBe(false);
  });

  it('resources come from grants to the user, roles, departments, and parents; a denial overrides', async () => {
    const namespace = freshName();
    const staff = await ensureRole(
      idp.pool,
      { id: newId(), userPoolId, namespace: 'default', code: 'staff' },
      at,
    );
    const principals = {
      own: { type: 'USER', id: userId },
      above: { type: 'ROLE', id: staff },
      root: { type: 'ORG', id: 'root' },
      below: { type: 'ORG', id: 'night' },
    } as const;
    const grants: readonly [string, keyof typeof principals, Grant['effect'], readonly string[]][] =
      [
        ['a:own', 'own', 'ALLOW', ['read', 'write']],
        ['b:role', 'above', 'ALLOW', ['read']],
        ['c:root', 'root', 'ALLOW', []],
        ['d:below', 'below', 'ALLOW', ['read']],
        ['e:denied', 'own', 'ALLOW', ['read']],
        ['f:half', 'own', 'ALLOW', ['read', 'write']],
        ['g:star', 'own', 'ALLOW', ['read']],
      ];
    const ids = new Map(grants.map(([code]) => [code, newId()]));
    for (const [code, who, effect, actions] of grants) {
      const resource = { id: ids.get(code) ?? '', userPoolId, namespace, code };
      const type = code === 'c:root' ? 'MENU' : 'API';
      await insertResource(
        idp.pool,
        { ...resource, type, actions: [...actions], apiIdentifier: null },
        at,
      );
      await setGrant(
        idp.pool,
        { resourceId: resource.id, principal: principals[who], effect, actions },
        at,
      );
    }
    for (const [code, actions] of [
      ['e:denied', ['read']],
      ['f:half', ['write']],
      ['g:star', ['*']],
    ] as const) {
      const denial = { resourceId: ids.get(code) ?? '', principal: principals.root, actions };
      await setGrant(idp.pool, { ...denial, effect: 'DENY' }, at);
    }
    const client = await signedIn(makeClient);
    const { list } = await client.listAuthorizedResources(namespace);
    expect(list).toEqual([
      { code: 'a:own', type: 'API', actions: ['read', 'write'] },
      { code: 'b:role', type: 'API', actions: ['read'] },
      { code: 'c:root', type: 'MENU', actions: [] },
      { code: 'f:half', type: 'API', actions: ['read'] },
    ]);
    const menus = await client.listAuthorizedResources(namespace, {
      resourceType: 'MENU' as never,
    });
    expect(menus.list.map(({ code }) => code)).toEqual(['c:root']);
  });

  it('[idp-access-4] a user cannot read or set data of another user', async () => {
    const other = await idp.makeUser({ username: freshName(), profile: { nickname: 'Secret' } });
    const client = await signedIn(makeClient);
    const { token } = (await client.getCurrentUser()) ?? {};
    const ask = async (query: string) => {
      const reply = await fetch(`${idp.host}/graphql/v2`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ query, variables: { id: other.id } }),
      });
      return (await reply.json()) as { data: object; errors?: { message: { code: number } }[] };
    };
    expect(
      await ask('query ($id: String) { user(id: $id) { nickname roles { totalCount } } }'),
    ).toEqual({
      data: { user: null },
    });
    for (const call of [
      'updateUser(id: $id, input: { nickname: "x" }) { id }',
      'setUdv(targetType: USER, targetId: $id, key: "a", value: "1") { key }',
      'removeUdv(targetType: ROLE, targetId: $id, key: "a") { key }',
      'refreshToken(id: $id) { token }',
    ]) {
      const variable =
        call.startsWith('setUdv') || call.startsWith('removeUdv') ? 'String!' : 'String';
      const answer = await ask(`mutation ($id: ${variable}) { ${call} }`);
      expect(answer.errors?.[0]?.message.code).toBe(1005);
    }
    expect(idp.failures).toEqual([]);
  });
});
