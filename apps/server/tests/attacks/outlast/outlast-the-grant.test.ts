import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedClaim, DeviceDetail } from '@deviceportal/contract/devices';
import type { AccessGrantRow, MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import type {
  MadeApplication,
  MadeProgramKey,
  ProgramKeyPage,
} from '@deviceportal/contract/provider-admin';
import { AccessFixture } from '../../support/access-fixture.ts';
import { claimByImport } from '../../imports/claim-by-import.ts';
import { enrollMachineAt } from '../../support/enrolling-machine.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const YEAR_HOURS = 8_760;
let portal: TestServer;
let admin: AccessFixture;
let database: pg.Client;
let application: MadeApplication;
let people = 0;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.0/8' });
  admin = await AccessFixture.open(portal, 'admin');
  database = new pg.Client({ connectionString: portal.installation.databaseUrl });
  await database.connect();
  application = await admin.done('provider.applications.create', {
    ...{ name: 'Shop', redirectUris: ['https://shop.example/callback'], protocols: ['oidc'] },
  });
});
afterAll(async () => {
  await database.end();
  await portal[Symbol.asyncDispose]();
});

interface Temporary {
  readonly setup: AccessFixture;
  readonly accessGrant: AccessGrantRow;
}

/** A user with permanent roles and temporary administrator access for an hour. */
async function temporaryAdministrator(...roles: readonly string[]): Promise<Temporary> {
  people += 1;
  const address = `temporary-${people}@example.com`;
  await admin.invite(address, 'Viewer', ...roles);
  const setup = await AccessFixture.open(portal, address);
  const { id: roleId } = await admin.role('Administrator');
  const asked = await setup.done<AccessGrantRow>('access.accessGrants.ask', {
    ...{ roleId, reason: 'the night shift', minutes: 60 },
  });
  const accessGrant = await admin.done<AccessGrantRow>('access.accessGrants.grant', {
    id: asked.id,
  });
  return { setup, accessGrant };
}

const end = ({ id }: AccessGrantRow): Promise<void> =>
  admin.done('access.accessGrants.end', { id });

/** Moves the end of the access to the past. */
const passTime = ({ id }: AccessGrantRow): Promise<unknown> =>
  database.query(`update access_grant set ends_at = clock_timestamp() where id = $1`, [id]);

const enroll = async (claimToken: string, serialNumber: string): Promise<number> => {
  people += 1;
  const address = `198.51.100.${people}`;
  return (await enrollMachineAt({ url: portal.url, claimToken, serialNumber, address })).status;
};

const createClaim = (setup: AccessFixture): Promise<CreatedClaim> =>
  setup.done('devices.createClaim', { uses: 100, lifetimeHours: YEAR_HOURS });

const createKey = (setup: AccessFixture): Promise<MadeProgramKey> =>
  setup.done('provider.accessKeys.create', {
    ...{ appId: application.appId, name: 'night job', scopes: ['email'] },
  });

async function tokenOf({ accessKeyId, secret }: MadeProgramKey): Promise<string | undefined> {
  const reply = await fetch(`${portal.url}/idp/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: accessKeyId,
      client_secret: secret,
    }),
  });
  return ((await reply.json()) as { access_token?: string }).access_token;
}

/** The result of token introspection for an application. */
async function isActive(
  { accessKeyId, secret }: MadeProgramKey,
  token: string | undefined,
): Promise<boolean | undefined> {
  const reply = await fetch(`${portal.url}/idp/oidc/token/introspection`, {
    method: 'POST',
    body: new URLSearchParams({
      token: token ?? '',
      client_id: accessKeyId,
      client_secret: secret,
    }),
  });
  return ((await reply.json()) as { active?: boolean }).active;
}

test('a claim created with temporary access for a year ends with the access, also when it ends early', async () => {
  for (const [serial, finish] of [
    ['OUTLAST-1', end],
    ['OUTLAST-2', passTime],
  ] as const) {
    const { setup, accessGrant } = await temporaryAdministrator();
    const claim = await createClaim(setup);
    expect(claim).toMatchObject({
      expiresAt: accessGrant.endsAt,
      bond: { accessGrantId: accessGrant.id, role: 'Administrator', endsAt: accessGrant.endsAt },
    });
    expect(await enroll(claim.token, serial)).toBe(200);
    await finish(accessGrant);
    expect(await enroll(claim.token, `${serial}-LATER`)).toBe(403);
  }
});

test('so does a claim for a device, and one of an import', async () => {
  const { setup, accessGrant } = await temporaryAdministrator();
  const csv = 'serialNumber,name,model,ownerEmail,country,labels\nOUTLAST-3,,,,,';
  const claim = await claimByImport(portal.url, setup.done.bind(setup), {
    ...{ csv, lifetimeHours: YEAR_HOURS },
  });
  const device = await admin.read<DeviceDetail>('devices.get', { device: 'OUTLAST-3' });
  const again = await setup.done<CreatedClaim>('devices.createDeviceClaim', { id: device.id });
  expect([claim.expiresAt, again.bond?.accessGrantId]).toEqual([
    accessGrant.endsAt,
    accessGrant.id,
  ]);
  await end(accessGrant);
  expect(await enroll(claim.token, 'OUTLAST-3')).toBe(403);
  expect(await enroll(again.token, 'OUTLAST-3')).toBe(403);
});

test('an access key created with temporary access ends with it, as do its tokens', async () => {
  for (const finish of [end, passTime]) {
    const { setup, accessGrant } = await temporaryAdministrator();
    const key = await createKey(setup);
    expect(key.bond).toMatchObject({ accessGrantId: accessGrant.id, endsAt: accessGrant.endsAt });
    const token = await tokenOf(key);
    expect(await isActive(key, token)).toBe(true);
    await finish(accessGrant);
    expect(await tokenOf(key)).toBeUndefined();
    expect(await isActive(key, token)).toBeUndefined();
    const { rows } = await admin.read<ProgramKeyPage>('provider.accessKeys.list', {});
    expect(rows[0]).toMatchObject({ accessKeyId: key.accessKeyId, expiresAt: accessGrant.endsAt });
  }
});

test('objects created with permanent roles do not end with temporary access', async () => {
  const { setup, accessGrant } = await temporaryAdministrator('Operator');
  const claim = await createClaim(setup);
  expect(claim.bond).toBeNull();
  await end(accessGrant);
  expect(await enroll(claim.token, 'OUTLAST-4')).toBe(200);
});

test('temporary access cannot create permanent configuration at the provider', async () => {
  const { setup } = await temporaryAdministrator();
  const { appId } = application;
  const names = { name: 'Evil', redirectUris: ['https://evil.example/'], protocols: ['oidc'] };
  const basedOn = new Date().toISOString();
  const acts: readonly (readonly [string, object])[] = [
    ['provider.applications.create', names],
    ['provider.applications.edit', { ...names, appId, basedOn }],
    ['provider.applications.rotateSecret', { appId }],
    [
      'provider.samlServices.save',
      { appId, entityId: 'https://evil.example', acsUrls: ['https://evil.example/acs'] },
    ],
    ['provider.departments.create', { parentId: null, name: 'Evil', code: null }],
    ['provider.roles.create', { namespace: 'default', code: 'evil', description: '' }],
  ];
  for (const [path, input] of acts) {
    const refused = await setup.order(path, input);
    expect([path, refused.code]).toEqual([path, 1000]);
    expect(JSON.stringify(refused.body)).toContain('temporary');
  }
});

test('[outlast-6] temporary access cannot assign, create, or restore roles, or admit users', async () => {
  const { setup } = await temporaryAdministrator();
  const gone = await admin.invite(`gone-${people}@example.com`, 'Operator');
  await admin.done('access.users.changeStatus', { id: gone.id, act: 'suspend' });
  const [viewer, friend] = [await admin.role('Viewer'), await admin.user('support')];
  const acts: readonly (readonly [string, object])[] = [
    ['access.users.changeRoles', { id: friend.id, add: [viewer.id] }],
    ['access.users.invite', { identifier: `friend-${people}@example.com`, roleIds: [] }],
    ['access.users.invite', { identifier: `friend-${people}@example.com`, roleIds: [viewer.id] }],
    ['access.users.changeStatus', { id: gone.id, act: 'restore' }],
    ['access.roles.create', { name: `Mine ${people}`, permissions: ['devices:read'], scope: {} }],
  ];
  for (const [path, input] of acts) {
    expect([path, (await setup.order(path, input)).code]).toEqual([path, 1000]);
  }
});

test('temporary access cannot grant temporary access', async () => {
  const { setup } = await temporaryAdministrator('Operator');
  people += 1;
  const address = `grandchild-${people}@example.com`;
  await admin.invite(address, 'Viewer');
  const child = await AccessFixture.open(portal, address);
  for (const name of ['Administrator', 'Operator']) {
    const { id: roleId } = await admin.role(name);
    const asked = await child.done<AccessGrantRow>('access.accessGrants.ask', {
      ...{ roleId, reason: 'the night shift' },
    });
    expect((await setup.order('access.accessGrants.grant', { id: asked.id })).code).toBe(1000);
  }
  expect((await child.order('devices.createClaim', { uses: 1 })).code).toBe(1000);
});

test('[outlast-8] created objects are listed with the request, and the trail names the access that allowed them', async () => {
  const { setup, accessGrant } = await temporaryAdministrator();
  const claim = await createClaim(setup);
  const key = await createKey(setup);
  const made = (): Promise<MadeByAccessGrant[]> =>
    admin.read('access.accessGrants.made', { id: accessGrant.id });
  const all = [
    { kind: 'access-key', id: key.accessKeyId, name: 'night job' },
    { kind: 'claim', id: claim.id },
  ];
  expect(await made()).toMatchObject(all.map((one) => ({ ...one, inForce: true })));
  await end(accessGrant);
  expect(await made()).toMatchObject(all.map((one) => ({ ...one, inForce: false })));
  const trail = await admin.trail('device.claim-created', 'provider.access-key-created');
  expect(trail.slice(0, 2).map(({ data }) => data['elevationId'])).toEqual([
    accessGrant.id,
    accessGrant.id,
  ]);
  const own = await setup.read<MadeByAccessGrant[]>('access.accessGrants.made', {
    id: accessGrant.id,
  });
  expect(own).toHaveLength(2);
  const support = await AccessFixture.open(portal, 'viewer');
  expect((await support.ask('access.accessGrants.made', { id: accessGrant.id })).code).toBe(2003);
});

test('[outlast-9] access that ends between the check and the write leaves nothing behind', async () => {
  const { setup, accessGrant } = await temporaryAdministrator();
  // As another server that ends it and has not committed yet.
  await database.query('begin');
  await database.query(
    `update access_grant set state = 'ended', ended_at = clock_timestamp() where id = $1`,
    [accessGrant.id],
  );
  const made = Promise.all([
    setup.order('devices.createClaim', { uses: 1 }),
    setup.order('provider.accessKeys.create', { appId: application.appId, name: 'late' }),
  ]);
  const waiting = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await database.query<{ count: number }>(waiting)).rows[0]?.count)
    .toBe(2);
  await database.query('commit');
  expect((await made).map(({ code }) => code)).toEqual([1000, 1000]);
  const left = await admin.read<readonly MadeByAccessGrant[]>('access.accessGrants.made', {
    id: accessGrant.id,
  });
  expect(left).toEqual([]);
});

test('[outlast-10] only one of two concurrent decisions on a request applies', async () => {
  people += 1;
  const second = `second-${people}@example.com`;
  await admin.invite(second, 'Administrator');
  const deciders = [admin, await AccessFixture.open(portal, second)];
  for (const acts of [
    ['grant', 'grant'],
    ['grant', 'refuse'],
    ['refuse', 'refuse'],
  ]) {
    people += 1;
    const address = `asker-${people}@example.com`;
    await admin.invite(address, 'Viewer');
    const asker = await AccessFixture.open(portal, address);
    const { id: roleId } = await admin.role('Auditor');
    const { id } = await asker.done<AccessGrantRow>('access.accessGrants.ask', {
      ...{ roleId, reason: 'the quarter ends' },
    });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const act = acts[index % 2] ?? 'grant';
        return deciders[index % 2]?.order(`access.accessGrants.${act}`, { id });
      }),
    );
    expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer?.code === 2004)).toHaveLength(5);
    const trail = await admin.trail('access.elevation-granted', 'access.elevation-refused');
    expect(trail.filter(({ data }) => data['elevationId'] === id)).toHaveLength(1);
  }
});

test('one use of a claim enrolls one of many concurrent devices', async () => {
  const claim = await admin.done<CreatedClaim>('devices.createClaim', { uses: 1 });
  const statuses = await Promise.all(
    Array.from({ length: 6 }, (_, index) => enroll(claim.token, `ONE-USE-${index}`)),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status === 403)).toHaveLength(5);
  const found = await admin.read<{ rows: unknown[] }>('devices.list', {
    filter: { text: 'ONE-USE' },
  });
  expect(found.rows.length).toBeLessThanOrEqual(1);
});
