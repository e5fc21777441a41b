import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AccessFixture } from '../../support/access-fixture.ts';
import { ScimClient } from './scim-client.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let directory: ScimClient;
let viewers: string;
let ana: string;
let bo: string;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  directory = await ScimClient.connect(portal.url, admin, { name: 'Okta', roles: ['Viewer'] });
  viewers = (await admin.role('Viewer')).id;
  ana = String((await directory.createUser('ana@example.com')).body['id']);
  bo = String((await directory.createUser('bo@example.com')).body['id']);
});
afterAll(() => portal[Symbol.asyncDispose]());

const members = async (): Promise<string[]> => {
  const { body } = await directory.call('GET', `/Groups/${viewers}`);
  return (body.members ?? []).map(({ value }) => value);
};

describe('groups of a directory', () => {
  test('a role is found by its name, without members where they are left out', async () => {
    const filter = encodeURIComponent('displayName eq "viewer"');
    const { body } = await directory.call(
      'GET',
      `/Groups?filter=${filter}&excludedAttributes=members`,
    );
    expect(body['Resources']).toMatchObject([{ id: viewers, displayName: 'Viewer' }]);
    expect(body.Resources?.[0]).not.toHaveProperty('members');
  });

  test('members are added and removed in the spellings of Entra ID and Okta', async () => {
    const path = 'members';
    const added = { op: 'Add', path, value: [{ value: ana }, { value: bo }] };
    expect((await directory.patch(`/Groups/${viewers}`, added)).status).toBe(200);
    expect(await members()).toEqual(expect.arrayContaining([ana, bo]));
    expect((await admin.user('ana@example.com')).roles).toEqual(['Viewer']);
    await directory.patch(`/Groups/${viewers}`, { op: 'Remove', path, value: [{ value: ana }] });
    await directory.patch(`/Groups/${viewers}`, {
      op: 'remove',
      path: `members[value eq "${bo}"]`,
    });
    const left = await members();
    expect(left).not.toContain(ana);
    expect(left).not.toContain(bo);
    const [event] = await admin.trail('access.user-roles-changed');
    expect(event).toMatchObject({ actor: { name: 'Okta' }, data: { removed: ['Viewer'] } });
  });

  test('a role that the connection does not assign is not changed', async () => {
    const { id } = await admin.role('Administrator');
    const answer = await directory.patch(`/Groups/${id}`, {
      ...{ op: 'add', path: 'members', value: [{ value: ana }] },
    });
    expect(answer.status).toBe(403);
    expect((await admin.user('ana@example.com')).roles).not.toContain('Administrator');
  });

  test('with one unknown member, no member is changed', async () => {
    const before = await members();
    const value = [{ value: ana }, { value: '00000000-0000-7000-8000-000000000000' }];
    const answer = await directory.patch(`/Groups/${viewers}`, {
      op: 'add',
      path: 'members',
      value,
    });
    expect(answer.status).toBe(400);
    expect(await members()).toEqual(before);
  });

  test('roles are not created, renamed, or deleted by a directory', async () => {
    const answers = await Promise.all([
      directory.call('POST', '/Groups', { displayName: 'New' }),
      directory.call('DELETE', `/Groups/${viewers}`),
      directory.patch(`/Groups/${viewers}`, { op: 'replace', path: 'displayName', value: 'Other' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 400]);
  });
});
