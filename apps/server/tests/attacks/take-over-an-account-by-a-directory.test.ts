import { afterAll, beforeAll, expect, test } from 'vitest';
import { ScimClient } from '../access/scim/scim-client.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const ADMIN = 'admin@deviceportal.local';
const OWN = 'attacker@example.com';
let portal: TestServer;
let admin: AccessFixture;
let directory: ScimClient;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  directory = await ScimClient.connect(portal.url, admin, { name: 'Okta', roles: ['Viewer'] });
});
afterAll(() => portal[Symbol.asyncDispose]());

async function idOf(userName: string): Promise<string> {
  const filter = encodeURIComponent(`userName eq "${userName}"`);
  const { body } = await directory.call('GET', `/Users?filter=${filter}`);
  return String(body.Resources?.[0]?.['id']);
}

const toOwnAddress = { op: 'replace', path: 'emails', value: [{ value: OWN, primary: true }] };
const toOwnNumber = {
  ...{ op: 'add', path: 'phoneNumbers' },
  value: [{ value: '+491511234567', primary: true }],
};

test.each([
  ['email address', toOwnAddress],
  ['phone number', toOwnNumber],
])('a token cannot lead the codes of an administrator to another %s', async (_what, operation) => {
  const { status } = await directory.patch(`/Users/${await idOf(ADMIN)}`, operation);
  expect(status).toBe(403);
  expect(await admin.user(ADMIN)).toMatchObject({ email: ADMIN, phone: null });
});

test('nor by replacing the user', async () => {
  const { status } = await directory.call('PUT', `/Users/${await idOf(ADMIN)}`, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...{ userName: ADMIN, active: true, emails: [{ value: OWN, primary: true }] },
  });
  expect(status).toBe(403);
});

test('a token changes the address of a user whose only roles it assigns, until the user has another one', async () => {
  const userName = 'reader@example.com';
  await directory.createUser(userName);
  const id = await idOf(userName);
  const [viewer, support] = [await admin.role('Viewer'), await admin.role('Support')];
  await admin.done('access.users.changeRoles', { id, add: [viewer.id] });
  const first = { ...toOwnAddress, value: [{ value: 'reader-2@example.com', primary: true }] };
  expect((await directory.patch(`/Users/${id}`, first)).status).toBe(200);
  await admin.done('access.users.changeRoles', { id, add: [support.id] });
  expect((await directory.patch(`/Users/${id}`, toOwnAddress)).status).toBe(403);
});
