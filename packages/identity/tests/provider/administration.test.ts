import { AuthenticationClient } from 'authing-js-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { providerApplicationInput } from '@deviceportal/contract/provider-admin';
import type { ActOrigin, AdministrationAct } from '../../src/administration/administration-act.ts';
import type { ProviderAdministration } from '../../src/administration/provider-administration.ts';
import { insertResource, setGrant } from '../../src/resources/resource-store.ts';
import { freshName } from './support/fresh-names.ts';
import { openProvider, REDIRECT_URI, type OpenProvider } from './support/open-provider.ts';

const SECRET = 'the password of the directory';
const origin: ActOrigin = {
  actor: { kind: 'person', id: 'admin-1', name: 'ada' },
  address: '192.0.2.1',
  requestId: 'request-1',
};

let other: OpenProvider;
let idp: OpenProvider;
let admin: ProviderAdministration;
let isWritable = true;
let acts: AdministrationAct[] = [];
beforeAll(async () => {
  other = await openProvider();
  idp = await openProvider(
    {
      limits: 'off',
      connections: [
        common('good-oidc', {
          protocol: 'oidc',
          issuer: `${other.host}/oidc`,
          clientId: 'app-1',
          clientSecret: 'hush, hush',
        }),
        common('bad-oidc', {
          protocol: 'oidc',
          issuer: 'http://127.0.0.1:9/nobody',
          clientId: 'x',
        }),
        common('good-cas', { protocol: 'cas', serverUrl: `${other.host}/cas-idp/app-1` }),
        common('bad-cas', { protocol: 'cas', serverUrl: `${other.host}/nowhere` }),
        common('bad-ldap', {
          protocol: 'ldap',
          url: 'ldap://127.0.0.1:9',
          bindDn: 'cn=service',
          bindPassword: SECRET,
          baseDn: 'dc=corp',
        }),
        common('bad-saml', {
          protocol: 'saml',
          idpEntityId: 'urn:other',
          ssoUrl: `${other.host}/saml`,
          certificates: ['bm90IGEgY2VydGlmaWNhdGU='],
        }),
      ] as never,
    },
    {
      writeAct: async (_client, act) => {
        if (!isWritable) throw new Error('the audit trail cannot be written');
        acts.push(act);
      },
    },
  );
  admin = idp.provider.administration;
});
afterAll(async () => {
  await idp[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
beforeEach(() => {
  acts = [];
});

function common(identifier: string, rest: object): object {
  return { identifier, displayName: identifier, ...rest };
}

const program = (given: object = {}) =>
  providerApplicationInput.parse({
    name: 'Shop',
    redirectUris: [REDIRECT_URI],
    protocols: ['oidc'],
    ...given,
  });

const rowOf = async (appId: string) =>
  (await admin.applications.list()).find((row) => row.appId === appId);

describe('applications', () => {
  it('a new application has a secret that is shown once, and an audit event without it', async () => {
    const { appId, secret } = await admin.applications.create(program(), origin);
    expect((await idp.context.applications.find(appId))?.secret).toBe(secret);
    expect(JSON.stringify(await admin.applications.list())).not.toContain(secret);
    expect(acts).toMatchObject([
      { kind: 'applicationCreated', actor: { name: 'ada' }, detail: { application: 'Shop' } },
    ]);
    expect(JSON.stringify(acts)).not.toContain(secret);
  });

  it('a change that cannot be recorded is not executed', async () => {
    const { appId } = await admin.applications.create(program(), origin);
    const before = await admin.applications.list();
    isWritable = false;
    try {
      await expect(admin.applications.create(program(), origin)).rejects.toThrow('audit trail');
      await expect(admin.applications.rotateSecret(appId, origin)).rejects.toThrow('audit trail');
      await expect(admin.applications.remove(appId, origin)).rejects.toThrow('audit trail');
    } finally {
      isWritable = true;
    }
    expect(await admin.applications.list()).toEqual(before);
  });

  it('if two administrators change the same object, the slower one gets a conflict', async () => {
    const { appId } = await admin.applications.create(program(), origin);
    const seen = (await rowOf(appId))?.modifiedAt ?? '';
    idp.clock.advance(1_000);
    await admin.applications.edit(appId, { ...program({ name: 'First' }), basedOn: seen }, origin);
    await expect(
      admin.applications.edit(appId, { ...program({ name: 'Second' }), basedOn: seen }, origin),
    ).rejects.toMatchObject({ issues: [{ path: ['basedOn'] }] });
    expect(await rowOf(appId)).toMatchObject({ name: 'First' });
    expect(acts.at(-1)).toMatchObject({
      kind: 'applicationChanged',
      detail: { changed: ['name'] },
    });
  });

  it('the old secret is invalid after a rotation', async () => {
    const made = await admin.applications.create(program(), origin);
    const again = await admin.applications.rotateSecret(made.appId, origin);
    expect(again.secret).not.toBe(made.secret);
    expect((await idp.context.applications.find(made.appId))?.secret).toBe(again.secret);
  });

  it('a protocol that is not enabled for an application cannot be used', async () => {
    const { appId } = await admin.applications.create(program({ protocols: ['cas'] }), origin);
    const query = `client_id=${appId}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}&response_type=code&scope=openid`;
    const oidc = await fetch(`${idp.host}/oidc/auth?${query}`, { redirect: 'manual' });
    expect(oidc.status).toBe(400);
    const saml = await fetch(`${idp.host}/api/v2/saml-idp/${appId}/metadata`);
    expect(saml.status).not.toBe(200);
    const service = encodeURIComponent(REDIRECT_URI);
    const cas = await fetch(`${idp.host}/cas-idp/${appId}/login?service=${service}`);
    expect(cas.status).toBe(200);
  });

  it('[idp-admin-18] an application that always requires a second factor prompts users without one to set it up', async () => {
    const made = await admin.applications.create(program({ secondStep: 'required' }), origin);
    const username = freshName();
    await idp.makeUser({ username, password: 'One step is 1 password' });
    const signIn = (appId: string) =>
      new AuthenticationClient({ appId, appHost: idp.host, lang: 'en-US' }).loginByUsername(
        username,
        'One step is 1 password',
      );
    await expect(signIn(made.appId)).rejects.toMatchObject({ code: 1635 });
    await expect(signIn(idp.appId)).resolves.toMatchObject({ username });
  });

  it('an allowed origin can call with cookies', async () => {
    const allowedOrigins = ['https://shop.example/somewhere'];
    await admin.applications.create(program({ allowedOrigins }), origin);
    const answer = await fetch(`${idp.host}/api/v2/.well-known`, {
      headers: { origin: 'https://shop.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  });

  it('deleting an application deletes its keys and ends its sign-ins', async () => {
    const { appId } = await admin.applications.create(program(), origin);
    const user = await idp.makeUser({ username: freshName() });
    const session = { appId, method: 'password', address: '192.0.2.2' };
    const { token } = await idp.context.tokens.startSession(user, session);
    await admin.accessKeys.create({ appId, name: 'night job', scopes: [] }, origin);
    await admin.applications.remove(appId, origin);
    expect(await idp.context.tokens.verify(token)).toBeUndefined();
    const keys = await admin.accessKeys.list({ after: undefined, limit: 100 });
    expect(keys.filter((key) => key.appId === appId)).toEqual([]);
  });

  it('the portal’s own application cannot be changed here', async () => {
    await expect(admin.applications.remove(idp.appId, origin)).rejects.toMatchObject({
      errorName: 'invalidParameters',
    });
    await expect(admin.applications.rotateSecret(idp.appId, origin)).rejects.toMatchObject({
      errorName: 'invalidParameters',
    });
    await expect(admin.applications.remove('nobody', origin)).rejects.toMatchObject({
      errorName: 'notFound',
    });
  });
});

describe('access keys', () => {
  it('an access key gets tokens until it is revoked, and is revoked once', async () => {
    const input = { appId: idp.appId, name: 'night job', scopes: ['user'] };
    const made = await admin.accessKeys.create(input, origin);
    const token = () =>
      fetch(`${idp.host}/oidc/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: made.accessKeyId,
          client_secret: made.secret,
          scope: 'user',
        }),
      });
    expect((await token()).status).toBe(200);
    await admin.accessKeys.revoke(made.accessKeyId, origin);
    expect((await token()).status).toBe(401);
    await expect(admin.accessKeys.revoke(made.accessKeyId, origin)).rejects.toMatchObject({
      errorName: 'notFound',
    });
    const [row] = await admin.accessKeys.list({ after: undefined, limit: 1 });
    expect(row).toMatchObject({ name: 'night job', application: 'Device Portal' });
    expect(row?.revokedAt).not.toBeNull();
  });

  it('pages of keys contain each key once', async () => {
    for (const name of ['a', 'b', 'c']) {
      await admin.accessKeys.create({ appId: idp.appId, name, scopes: [] }, origin);
    }
    const seen: string[] = [];
    let after: { createdAt: string; accessKeyId: string } | undefined;
    for (;;) {
      const [key] = await admin.accessKeys.list({ after, limit: 1 });
      if (key === undefined) break;
      seen.push(key.accessKeyId);
      after = key;
    }
    const all = await admin.accessKeys.list({ after: undefined, limit: 100 });
    expect(seen).toEqual(all.map(({ accessKeyId }) => accessKeyId));
  });
});

const metadata = (inner: string, head = '') =>
  `<?xml version="1.0"?>${head}<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:shop">
     <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${inner}</md:SPSSODescriptor>
   </md:EntityDescriptor>`;
const consumer = (url: string, more: string) =>
  `<md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${url}" ${more}/>`;

describe('SAML services', () => {
  it('metadata contains the URLs for assertions, the default URL first', () => {
    const text = metadata(
      consumer('https://shop.example/second', 'index="0"') +
        consumer('https://shop.example/first', 'index="1" isDefault="true"'),
    );
    expect(admin.samlServices.readMetadata(text)).toEqual({
      entityId: 'urn:shop',
      acsUrls: ['https://shop.example/first', 'https://shop.example/second'],
      logoutUrl: null,
      certificate: null,
    });
  });

  it('[idp-admin-12] invalid metadata, and metadata that expands, is rejected at its field', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb">]>';
    for (const text of [
      'nothing at all',
      '<a/>',
      metadata(''),
      metadata(consumer('javascript:alert(1)', '')),
      metadata(consumer('https://shop.example/', ''), bomb),
    ]) {
      expect(() => admin.samlServices.readMetadata(text)).toThrow(
        expect.objectContaining({
          issues: [expect.objectContaining({ path: ['metadata'] })],
        }) as Error,
      );
    }
  });

  it('a service requires a readable certificate and a unique entity ID', async () => {
    const { appId } = await admin.applications.create(program({ protocols: ['saml'] }), origin);
    const service = {
      ...{ appId, entityId: 'urn:own', acsUrls: [REDIRECT_URI] },
      ...{ logoutUrl: null, certificate: null, basedOn: null },
    };
    await admin.samlServices.save(service, origin);
    await expect(
      admin.samlServices.save({ ...service, appId: idp.appId }, origin),
    ).rejects.toMatchObject({ issues: [{ path: ['entityId'] }] });
    const certificate = '-----BEGIN CERTIFICATE-----\nnot one\n-----END CERTIFICATE-----';
    await expect(
      admin.samlServices.save({ ...service, certificate }, origin),
    ).rejects.toMatchObject({ issues: [{ path: ['certificate'] }] });
    await admin.samlServices.remove(appId, origin);
    expect(await admin.samlServices.list()).toEqual([]);
  });
});

describe('connections', () => {
  it('a test reports the problem and shows no secret', async () => {
    expect(await admin.connections.test('good-oidc')).toMatchObject({
      ok: true,
      finding: { kind: 'discovered' },
    });
    expect(await admin.connections.test('good-cas')).toMatchObject({
      ok: true,
      finding: { kind: 'answered', status: 200 },
    });
    const bad = ['bad-oidc', 'bad-cas', 'bad-ldap', 'bad-saml'];
    const results = await Promise.all(bad.map((identifier) => admin.connections.test(identifier)));
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, false]);
    expect(results.map(({ finding }) => finding.kind)).toEqual([
      'failed',
      'no-cas-server',
      'failed',
      'certificate-unreadable',
    ]);
    const shown = JSON.stringify([results, admin.connections.list()]);
    expect(shown).not.toContain(SECRET);
    expect(shown).not.toContain('hush, hush');
  });
});

describe('departments and roles', () => {
  it('departments form a tree, with members found only by verified contacts, and added once', async () => {
    const root = await admin.departments.create(
      { name: 'Corp', parentId: null, code: null, description: '' },
      origin,
    );
    const below = await admin.departments.create(
      { name: 'Sales', parentId: root.id, code: 'sales', description: '' },
      origin,
    );
    const email = `${freshName()}@example.com`;
    const user = await idp.makeUser({ email, emailVerified: false });
    const member = { id: below.id, person: email };
    await expect(admin.departments.addMember(member, origin)).rejects.toMatchObject({
      issues: [{ path: ['person'] }],
    });
    await idp.context.users.update(user.id, { emailVerified: true });
    await admin.departments.addMember(member, origin);
    expect(await admin.departments.list()).toMatchObject([
      { name: 'Corp', people: 0 },
      { name: 'Sales', people: 1 },
    ]);
    await idp.pool.query(
      'update identity.provider_department_member set is_main = true where department_id = $1',
      [below.id],
    );
    await admin.departments.addMember(member, origin);
    const places = await idp.pool.query<{ is_main: boolean }>(
      'select is_main from identity.provider_department_member where department_id = $1',
      [below.id],
    );
    expect(places.rows).toEqual([{ is_main: true }]);
    const moved = { id: root.id, name: 'Corp', code: null, description: '' };
    await expect(
      admin.departments.edit({ ...moved, parentId: below.id }, origin),
    ).rejects.toMatchObject({ issues: [{ path: ['parentId'] }] });
    const taken = { name: 'Other', parentId: root.id, code: 'sales', description: '' };
    await expect(admin.departments.create(taken, origin)).rejects.toMatchObject({
      issues: [{ path: ['code'] }],
    });
    const at = new Date(idp.clock.now());
    const resource = { id: 'resource-1', userPoolId: 'pool-1', namespace: 'shop', code: 'till' };
    const data = { type: 'DATA', actions: [], apiIdentifier: null } as const;
    await insertResource(idp.pool, { ...resource, ...data }, at);
    const principal = { type: 'ORG', id: below.id } as const;
    const grant = { resourceId: resource.id, principal, effect: 'ALLOW', actions: [] } as const;
    await setGrant(idp.pool, grant, at);
    await admin.departments.remove(root.id, origin);
    const left = await idp.pool.query('select from identity.provider_grant');
    expect(left.rowCount).toBe(0);
    expect(await admin.departments.list()).toEqual([]);
    expect(acts.map(({ kind }) => kind)).toEqual([
      'departmentCreated',
      'departmentCreated',
      'departmentMemberAdded',
      'departmentRemoved',
    ]);
  });

  it('a role of the provider cannot grant administration of the portal', async () => {
    const [person] = [await idp.makeUser({ username: freshName() })];
    const portals = { namespace: 'default', code: 'DevicePortal_Admin', description: '' };
    await expect(admin.roles.create(portals, origin)).rejects.toMatchObject({
      errorName: 'invalidParameters',
    });
    const member = { accountId: person.id, group: portals.code, isMember: true };
    await idp.provider.accounts.setMember(member, origin);
    const role = (await admin.roles.list({ after: undefined, limit: 100 })).find(
      ({ isPortals }) => isPortals,
    );
    const id = role?.id ?? '';
    const refused = { errorName: 'invalidParameters' };
    await expect(
      admin.roles.addMember({ id, person: person.username ?? '' }, origin),
    ).rejects.toMatchObject(refused);
    await expect(admin.roles.removeMember({ id, userId: person.id }, origin)).rejects.toMatchObject(
      refused,
    );
    await expect(admin.roles.remove(id, origin)).rejects.toMatchObject(refused);
  });

  it('a role is assigned, listed, removed, and deleted; assigning it twice is one event', async () => {
    const user = await idp.makeUser({ username: freshName() });
    const input = { namespace: 'shop', code: 'clerk', description: 'sells' };
    const { id } = await admin.roles.create(input, origin);
    await expect(admin.roles.create(input, origin)).rejects.toMatchObject({
      issues: [{ path: ['code'] }],
    });
    const member = { id, person: user.username ?? '' };
    await admin.roles.addMember(member, origin);
    await admin.roles.addMember(member, origin);
    const page = { after: undefined, limit: 10 };
    expect(await admin.roles.listMembers(id, page)).toMatchObject([{ userId: user.id }]);
    await admin.roles.removeMember({ id, userId: user.id }, origin);
    await admin.roles.remove(id, origin);
    await expect(admin.roles.listMembers(id, page)).rejects.toMatchObject({
      errorName: 'notFound',
    });
    expect(acts.map(({ kind }) => kind)).toEqual([
      'roleCreated',
      'roleMemberAdded',
      'roleMemberRemoved',
      'roleRemoved',
    ]);
  });
});
