import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Notification } from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../../support/access-fixture.ts';
import { signIn } from '../../support/portal-api.ts';
import { ScimClient } from './scim-client.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let directory: ScimClient;
let number = 0;
let userName: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  directory = await ScimClient.connect(portal.url, admin, { name: 'Entra ID' });
});
afterAll(() => portal[Symbol.asyncDispose]());
beforeEach(() => {
  number += 1;
  userName = `directory-${number}@example.com`;
});

async function createUser(attributes: object = {}): Promise<string> {
  const { status, body } = await directory.createUser(userName, attributes);
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body['id']);
}

const replaceActive = { op: 'Replace', path: 'active' };

describe('users of a directory', () => {
  test('a created user is found by userName and externalId, and signs in without a role', async () => {
    const id = await createUser({
      externalId: `ext-${number}`,
      name: { givenName: 'Ana', familyName: 'Weber' },
    });
    for (const filter of [
      `userName eq "${userName.toUpperCase()}"`,
      `externalId eq "ext-${number}"`,
    ]) {
      const { body } = await directory.call('GET', `/Users?filter=${encodeURIComponent(filter)}`);
      expect(body).toMatchObject({ totalResults: 1, Resources: [{ id, userName, active: true }] });
    }
    expect(await admin.user(userName)).toMatchObject({ id, name: 'Ana Weber', roles: [] });
    expect((await (await AccessFixture.open(portal, userName)).session()).roles).toEqual([]);
  });

  test.each([
    ['Entra ID', { ...replaceActive, value: 'False' }],
    ['Okta', { op: 'replace', value: { active: false } }],
    ['a client that follows the RFC', { op: 'replace', path: 'active', value: false }],
    [
      'a path with the schema',
      { op: 'replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:active', value: false },
    ],
  ])('a leaver reported by %s is signed out at the next call', async (_directory, operation) => {
    const id = await createUser();
    const person = await AccessFixture.open(portal, userName);
    await person.session();
    const { status, body } = await directory.patch(`/Users/${id}`, operation);
    expect([status, body['active']]).toEqual([200, false]);
    expect((await person.ask('session.get')).code).toBe(2001);
    await expect(signIn(portal.url, userName)).rejects.toThrow(/User is disabled|NotAuthorized/);
    const [event] = await admin.trail('access.user-status-changed');
    expect(event).toMatchObject({
      actor: { kind: 'system', name: 'Entra ID' },
      data: { userId: id, from: 'Activated', to: 'Suspended', reason: 'Entra ID' },
    });
  });

  test('administrators are notified of a leaver once', async () => {
    const id = await createUser();
    await directory.patch(`/Users/${id}`, { ...replaceActive, value: false });
    await directory.patch(`/Users/${id}`, { ...replaceActive, value: false });
    const { rows } = await admin.read<Page<Notification>>('notifications.list', {});
    const told = rows.filter(({ kind, facts }) => kind === 'user-left' && facts['userId'] === id);
    expect(told).toMatchObject([{ facts: { by: userName, connection: 'Entra ID', schedules: 0 } }]);
  });

  test('a user whom the directory ended returns with their roles, one whom an administrator suspended does not', async () => {
    const id = await createUser();
    await admin.done('access.users.changeRoles', { id, add: [(await admin.role('Viewer')).id] });
    await directory.patch(`/Users/${id}`, { ...replaceActive, value: 'False' });
    await directory.patch(`/Users/${id}`, { ...replaceActive, value: 'True' });
    expect((await (await AccessFixture.open(portal, userName)).session()).roles).toEqual([
      'Viewer',
    ]);
    await admin.done('access.users.changeStatus', { id, act: 'suspend' });
    const refused = await directory.patch(`/Users/${id}`, { ...replaceActive, value: true });
    expect(refused.status).toBe(409);
    expect((await admin.user(userName)).status).toBe('Suspended');
  });

  test('a deleted user loses access and roles, no longer exists for the directory, and returns under the same ID', async () => {
    const id = await createUser();
    await admin.done('access.users.changeRoles', { id, add: [(await admin.role('Viewer')).id] });
    expect((await directory.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await directory.call('GET', `/Users/${id}`)).status).toBe(404);
    expect(await admin.user(userName)).toMatchObject({ status: 'Resigned', roles: [] });
    expect(await createUser()).toBe(id);
    expect(await admin.user(userName)).toMatchObject({ status: 'Activated', roles: [] });
  });

  test('the last administrator can be neither suspended nor deleted', async () => {
    const { userId: id } = await admin.session();
    const answers = [
      await directory.patch(`/Users/${id}`, { ...replaceActive, value: 'False' }),
      await directory.call('DELETE', `/Users/${id}`),
    ];
    for (const { status, body } of answers) {
      expect(status).toBe(409);
      expect(body['detail']).toContain('last administrator');
    }
    expect((await admin.ask('session.get')).status).toBe(200);
  });

  test('a changed address receives the codes, and an address of another user is 409', async () => {
    const id = await createUser();
    const address = `new-${userName}`;
    const path = 'emails[type eq "work"].value';
    const changed = await directory.patch(`/Users/${id}`, { op: 'Add', path, value: address });
    expect(changed.body['emails']).toMatchObject([{ type: 'work', value: address }]);
    expect(await admin.user(userName)).toMatchObject({ email: address });
    const taken = await directory.createUser(`other-${number}`, { emails: [{ value: address }] });
    expect([taken.status, taken.body['scimType']]).toEqual([409, 'uniqueness']);
  });

  test('a change based on an outdated version is 412, and a known version is not sent again', async () => {
    const id = await createUser();
    const first = (await directory.call('GET', `/Users/${id}`)).headers.get('etag') ?? '';
    const same = await directory.call('GET', `/Users/${id}`, undefined, { 'if-none-match': first });
    expect(same.status).toBe(304);
    const body = { userName, displayName: 'Ana' };
    const put = () => directory.call('PUT', `/Users/${id}`, body, { 'if-match': first });
    expect((await put()).status).toBe(200);
    expect((await put()).status).toBe(412);
  });

  test.each([
    [
      'a filter that is not supported',
      'GET',
      '/Users?filter=userName%20co%20%22a%22',
      undefined,
      'invalidFilter',
    ],
    ['a new username', 'PUT', '/Users/:id', { userName: 'another' }, 'mutability'],
    ['an unknown path', 'PATCH', '/Users/:id', { path: 'shoeSize', value: 1 }, 'invalidPath'],
    [
      'the path __proto__',
      'PATCH',
      '/Users/:id',
      { path: '__proto__.active', value: 1 },
      'invalidPath',
    ],
    ['a read-only path', 'PATCH', '/Users/:id', { path: 'groups', value: [] }, 'mutability'],
    [
      'an invalid address',
      'PATCH',
      '/Users/:id',
      { path: 'emails', value: [{ value: 'a' }] },
      'invalidValue',
    ],
    ['a body that is no JSON', 'POST', '/Users', '{', 'invalidSyntax'],
  ])('%s is 400 in the form of SCIM', async (_what, method, path, body, scimType) => {
    const id = await createUser();
    const sent =
      method === 'PATCH' ? { Operations: [{ op: 'replace', ...(body as object) }] } : body;
    const answer = await directory.call(method, path.replace(':id', id), sent);
    expect(answer.headers.get('content-type')).toContain('application/scim+json');
    expect(answer.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ...{ status: '400', scimType },
    });
  });

  test('a list is paged, and can leave attributes out', async () => {
    await createUser();
    const { body } = await directory.call('GET', '/Users?startIndex=2&count=1&attributes=userName');
    expect(body).toMatchObject({ startIndex: 2, itemsPerPage: 1 });
    expect(Object.keys(body['Resources']?.[0] ?? {})).toEqual(['schemas', 'id', 'userName']);
    expect(body['totalResults']).toBeGreaterThan(2);
  });
});
