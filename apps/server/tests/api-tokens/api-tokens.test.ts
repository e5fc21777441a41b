import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiTokenPage, NewApiToken, OwnApiTokens } from '@deviceportal/contract/api-tokens';
import { AccessFixture } from '../support/access-fixture.ts';
import { ApiTokenClient } from './api-token-client.ts';
import { mutate } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let support: AccessFixture;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  support = await AccessFixture.open(portal, 'support');
});
afterAll(() => portal[Symbol.asyncDispose]());

const reader = { permissions: ['devices:read'] };
const own = async (user: AccessFixture) =>
  (await user.read<OwnApiTokens>('apiTokens.listOwn')).tokens;

describe('personal tokens', () => {
  test('a user creates one, uses it, sees when and where it was used, and revokes it', async () => {
    const client = await ApiTokenClient.personal(portal.url, support, {
      ...{ name: 'nightly', permissions: ['devices:read', 'commands:read'], days: 7 },
      scope: { countries: ['DE'] },
    });
    const { status, body } = await client.get('/token');
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        ...{ kind: 'personal', name: 'nightly' },
        grants: [{ permissions: ['devices:read', 'commands:read'], scope: { countries: ['DE'] } }],
      },
    });
    const row = (await own(support)).find(({ id }) => id === client.id);
    expect(row).toMatchObject({
      ...{ state: 'active', lastUsedAddress: '127.0.0.1' },
      lastUsedAt: expect.stringMatching(/:00\.000Z$/),
    });
    await support.done('apiTokens.revoke', { id: client.id });
    expect(await client.get('/token')).toMatchObject({ status: 401, error: { code: 2001 } });
    expect((await own(support)).find(({ id }) => id === client.id)?.state).toBe('revoked');
  });

  test('the token is in no list and not in the audit trail, and each step is', async () => {
    const client = await ApiTokenClient.personal(portal.url, support, {
      ...reader,
      name: 'traced',
    });
    await client.get('/token');
    await client.get('/token');
    await support.done('apiTokens.revoke', { id: client.id });
    const trail = await admin.trail(
      'access.api-token-created',
      'access.api-token-used-from-new-address',
      'access.api-token-revoked',
    );
    const steps = trail.filter(({ data }) => data['apiTokenId'] === client.id);
    expect(steps.map(({ type }) => type)).toEqual([
      'access.api-token-revoked',
      'access.api-token-used-from-new-address',
      'access.api-token-created',
    ]);
    const secret = client.token.slice(5, 30);
    expect(JSON.stringify([steps, await own(support)])).not.toContain(secret);
  });

  test('creating one requires a fresh second step', async () => {
    const token = await portal.signIn('support');
    const answer = await mutate(portal.url, {
      path: 'apiTokens.createPersonal',
      input: { name: 'mine', ...reader },
      ...{ token, confirms: false },
    });
    expect(answer).toMatchObject({ status: 403, code: 1000, reason: 'step-up-required' });
  });

  test('a user cannot give a token more than they have', async () => {
    const wanted = { name: 'more', permissions: ['devices:read', 'commands:run:@disrupts'] };
    const answer = await support.order('apiTokens.createPersonal', wanted);
    expect(answer).toMatchObject({ code: 1000, reason: 'permission-not-held' });
  });

  test.each([
    ...['access:manage', 'commands:run:@destroys', 'files:write', 'people:manage'],
    ...['terminal:open', 'web-pages:open'],
  ])('no token has %s', async (permission) => {
    const wanted = { name: 'more', permissions: [permission] };
    expect((await admin.order('apiTokens.createPersonal', wanted)).code).toBe(2004);
  });

  test('it is valid for as many days as the installation allows', async () => {
    const answer = await support.order('apiTokens.createPersonal', {
      ...{ name: 'long', ...reader, days: 91 },
    });
    expect(answer).toMatchObject({ code: 2004, reason: 'api-token-lifetime' });
  });

  test('a user without the permission creates none', async () => {
    const viewer = await AccessFixture.open(portal, 'viewer');
    expect((await viewer.order('apiTokens.createPersonal', { name: 'mine', ...reader })).code).toBe(
      1000,
    );
  });
});

describe('service tokens', () => {
  test('an administrator creates one with roles; it acts for no user', async () => {
    const client = await ApiTokenClient.service(portal.url, admin, {
      ...{ name: 'warehouse', roles: ['Viewer'] },
    });
    expect((await client.get('/token')).body).toMatchObject({
      ...{ kind: 'service', name: 'warehouse', user: null },
      grants: [{ permissions: expect.arrayContaining(['devices:read']) }],
    });
    const page = await admin.read<ApiTokenPage>('apiTokens.list', {});
    expect(page.rows.find(({ id }) => id === client.id)).toMatchObject({
      ...{ owner: null, roles: [{ name: 'Viewer' }] },
    });
  });

  test('it loses what its role loses, at the next call', async () => {
    await admin.createRole('Shelf readers', ['devices:read', 'commands:read']);
    const client = await ApiTokenClient.service(portal.url, admin, { roles: ['Shelf readers'] });
    expect((await client.get('/runs')).status).toBe(200);
    const role = await admin.role('Shelf readers');
    await admin.done('access.roles.edit', {
      ...{ id: role.id, name: role.name, description: '', permissions: ['devices:read'] },
      ...{ scope: {}, basedOn: role.updatedAt },
    });
    expect(await client.get('/runs')).toMatchObject({ status: 403, error: { code: 1000 } });
    await admin.done('access.roles.delete', { id: role.id });
    expect(await client.get('/devices')).toMatchObject({ status: 403, error: { code: 1000 } });
  });

  test('only administrators create them', async () => {
    const { id } = await admin.role('Viewer');
    const answer = await support.order('apiTokens.createService', { name: 'x', roleIds: [id] });
    expect(answer).toMatchObject({ code: 1000 });
  });
});

describe('the tokens of others', () => {
  test('an administrator sees and revokes them; another user can do neither', async () => {
    const client = await ApiTokenClient.personal(portal.url, support, reader);
    const operator = await AccessFixture.open(portal, 'operator');
    expect((await operator.ask('apiTokens.list', {})).code).toBe(1000);
    expect((await operator.order('apiTokens.revoke', { id: client.id })).code).toBe(2003);
    expect((await client.get('/token')).status).toBe(200);
    const { rows } = await admin.read<ApiTokenPage>('apiTokens.list', {});
    expect(rows.find(({ id }) => id === client.id)?.owner?.username).toContain('support');
    await admin.done('apiTokens.revoke', { id: client.id });
    expect((await client.get('/token')).status).toBe(401);
  });

  test('pages of the list neither repeat nor leave out a token', async () => {
    for (let index = 0; index < 4; index += 1)
      await ApiTokenClient.service(portal.url, admin, { name: `page ${index}`, roles: ['Viewer'] });
    const all = await admin.read<ApiTokenPage>('apiTokens.list', { active: false, pageSize: 100 });
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: ApiTokenPage = await admin.read('apiTokens.list', {
        ...{ active: false, pageSize: 3, cursor },
      });
      ids.push(...page.rows.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(ids).toEqual(all.rows.map(({ id }) => id));
  });
});

test('revoked tokens of the same day count toward the limit', async () => {
  const operator = await AccessFixture.open(portal, 'operator');
  const create = () =>
    operator.order('apiTokens.createPersonal', { name: 'one of many', ...reader });
  let count = 0;
  for (let answer = await create(); answer.code !== 2004; answer = await create()) {
    const { id } = answer.data as NewApiToken;
    await operator.done('apiTokens.revoke', { id });
    count += 1;
    expect(count).toBeLessThanOrEqual(20);
  }
  expect(count).toBe(20);
});
