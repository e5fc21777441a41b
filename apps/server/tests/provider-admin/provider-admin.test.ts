import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  MadeApplication,
  MadeProgramKey,
  MemberPage,
  ProgramKeyPage,
  ProviderApplication,
  ProviderFacts,
  ProviderRolePage,
} from '@deviceportal/contract/provider-admin';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

const CALLBACK = 'https://shop.example/callback';

let portal: TestServer;
let admin: AccessFixture;
beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const makeApplication = (name: string): Promise<MadeApplication> =>
  admin.done('provider.applications.create', {
    name,
    redirectUris: [CALLBACK],
    protocols: ['oidc'],
  });

test('returns the provider of this installation and its first application, the portal itself', async () => {
  const facts = await admin.read<ProviderFacts>('provider.get');
  expect(facts).toMatchObject({ signsPortalIn: false });
  expect(facts.host).toMatch(/\/idp$/);
  const rows = await admin.read<ProviderApplication[]>('provider.applications.list');
  expect(rows[0]).toMatchObject({ appId: 'deviceportal', isOwn: true });
});

test('records changes of an administrator in the audit trail under their name, without secrets', async () => {
  const { appId, secret } = await makeApplication('Shop');
  const key = await admin.done<MadeProgramKey>('provider.accessKeys.create', {
    appId,
    name: 'night job',
  });
  await admin.done('provider.accessKeys.revoke', { accessKeyId: key.accessKeyId });
  await admin.done('provider.applications.remove', { appId });
  const trail = await admin.trail(
    'provider.application-created',
    'provider.access-key-created',
    'provider.access-key-revoked',
    'provider.application-removed',
  );
  expect(trail.map(({ type }) => type)).toEqual([
    'provider.application-removed',
    'provider.access-key-revoked',
    'provider.access-key-created',
    'provider.application-created',
  ]);
  expect(new Set(trail.map(({ actor }) => actor.name))).toEqual(
    new Set(['admin@deviceportal.local']),
  );
  expect(JSON.stringify(trail)).not.toContain(secret);
  expect(JSON.stringify(trail)).not.toContain(key.secret);
});

test('[provider-admin-3] rejects invalid addresses with their field', async () => {
  for (const wrong of ['shop.example', 'javascript:alert(1)', 'https://shop.example/#part']) {
    const answer = await admin.order('provider.applications.create', {
      name: 'Wrong',
      redirectUris: [wrong],
      protocols: [],
    });
    expect(answer.issues[0]?.path[0]).toBe('redirectUris');
  }
});

test('returns lists in pages, each row once', async () => {
  const { appId } = await makeApplication('Pages');
  for (const name of ['a', 'b', 'c']) {
    await admin.done('provider.accessKeys.create', { appId, name });
  }
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const page: ProgramKeyPage = await admin.read('provider.accessKeys.list', {
      pageSize: 2,
      cursor,
    });
    names.push(...page.rows.filter((key) => key.appId === appId).map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(names).toEqual(['c', 'b', 'a']);
  expect((await admin.ask('provider.accessKeys.list', { cursor: 'garbled' })).code).toBe(2004);
  expect((await admin.ask('provider.roles.list', { cursor: 'garbled' })).code).toBe(2004);
});

test('masks names for users without the permission for people', async () => {
  await admin.createRole('Reads the provider', ['provider:read', 'provider:manage']);
  await admin.invite('reads@example.com', 'Reads the provider');
  const reader = await AccessFixture.open(portal, 'reads@example.com');
  const roles = await reader.read<ProviderRolePage>('provider.roles.list', {});
  const { id } = roles.rows.find(({ code }) => code === 'Viewer') ?? { id: '' };
  const members = await reader.read<MemberPage>('provider.roles.listMembers', { id });
  expect(members.rows).toHaveLength(1);
  expect(JSON.stringify(members)).not.toContain('viewer@deviceportal.local');
  const open = await admin.read<MemberPage>('provider.roles.listMembers', { id });
  expect(JSON.stringify(open)).toContain('viewer@deviceportal.local');
});

test('lets a provider administrator make no user an administrator of the portal', async () => {
  const roles = await admin.read<ProviderRolePage>('provider.roles.list', {});
  const portals = roles.rows.find(({ isPortals }) => isPortals);
  const answer = await admin.order('provider.roles.addMember', {
    id: portals?.id,
    person: 'viewer@deviceportal.local',
  });
  expect(answer.code).toBe(2004);
});
