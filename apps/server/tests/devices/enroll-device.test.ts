import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EnrollmentRequest } from '@deviceportal/device-protocol/enrollment';
import { createClaim } from '../../src/devices/claims/create-claim.ts';
import { claimForLocalAgent } from '../../src/devices/claims/claim-for-local-agent.ts';
import { createDeviceClaim } from '../../src/devices/claims/create-device-claim.ts';
import type { DevicesDependencies } from '../../src/devices/devices-dependencies.ts';
import { enrollDevice } from '../../src/devices/enrollment/enroll-device.ts';
import { changeLifecycle } from '../../src/devices/change-lifecycle.ts';
import { getDevice } from '../../src/devices/get-device.ts';
import { createClaimOfImport } from '../../src/imports/create-claim-of-import.ts';
import { listClaims, revokeClaim } from '../../src/devices/claims/list-claims.ts';
import { createLocalChangeFeed, type Change } from '../../src/platform/change-feed.ts';
import { ImportFixture } from '../imports/import-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { administrator, callerOf, limitedTo } from './viewer-with.ts';

let db: TestDatabase;
let deps: DevicesDependencies;
let now = new Date('2026-11-20T12:00:00Z');
const published: Change[] = [];
const caller = callerOf(administrator);

beforeAll(async () => {
  db = await createTestDatabase();
  const changes = createLocalChangeFeed((error) => {
    throw error;
  });
  changes.subscribe((change) => published.push(change));
  deps = {
    database: db.database,
    changes,
    clock: () => now,
    installCommand: async (token: string) => `install --claim ${token}`,
  };
});
afterAll(() => db[Symbol.asyncDispose]());

const claimInput = {
  model: null,
  ownerId: null,
  country: null,
  labels: {},
  uses: 1,
  lifetimeHours: 24,
  device: null,
};
const firstPage = { pageSize: 25, cursor: null };
const request = (claimToken: string, serialNumber: string | null): EnrollmentRequest => ({
  claimToken,
  serialNumber,
  certificateRequest: '',
  model: 'kiosk',
  hostName: `host-${serialNumber}`,
  platformType: 'Linux',
  platformName: 'Ubuntu',
  platformVersion: '24.04',
  architecture: 'x64',
  agentVersion: '1.0.0',
});
const options = {
  address: '10.0.0.7',
  readKeyFingerprint: async () => 'SHA256:of-this-machine',
  issueCertificate: async (deviceId: string) => ({
    fingerprint: `of ${deviceId}`,
    startsAt: new Date('2026-11-20T12:00:00Z'),
    endsAt: new Date('2027-02-18T12:00:00Z'),
  }),
};

async function auditTypes(deviceId: string): Promise<string[]> {
  const { rows } = await db.database.pool.query<{ type: string }>(
    'select type from audit_event where device_id = $1 order by at, id',
    [deviceId],
  );
  return rows.map((row) => row.type);
}

test('a claim enrolls as many devices as it has uses, with any number of concurrent requests', async () => {
  const claim = await createClaim(deps, caller, { ...claimInput, uses: 5, labels: { site: 'a' } });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, n) =>
      enrollDevice(deps, request(claim.token, `RACE${n}0`), options),
    ),
  );
  const enrolled = outcomes.filter((outcome) => outcome.status === 'fulfilled');
  expect(enrolled).toHaveLength(5);
  const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refusals.map((outcome) => outcome.reason.code)).toEqual(
    Array.from({ length: 7 }, () => 1000),
  );
  const devices = await db.database.pool.query(
    "select labels from device where serial_number like 'RACE%'",
  );
  expect(devices.rows).toEqual(Array.from({ length: 5 }, () => ({ labels: { site: 'a' } })));
  const { rows } = await listClaims(deps, administrator, firstPage);
  expect(rows.map((row) => row.id)).not.toContain(claim.id);
});

test('a failed enrollment returns its use', async () => {
  const claim = await createClaim(deps, caller, claimInput);
  const failing = { ...options, issueCertificate: () => Promise.reject(new Error('no key')) };
  await expect(enrollDevice(deps, request(claim.token, 'BACK0001'), failing)).rejects.toThrow(
    'no key',
  );
  await expect(
    enrollDevice(deps, request(claim.token, 'BACK0001'), options),
  ).resolves.toMatchObject({
    created: true,
  });
});

test('an expired, a revoked, and an unknown claim are rejected with the same error', async () => {
  const expired = await createClaim(deps, caller, { ...claimInput, lifetimeHours: 1 });
  const revoked = await createClaim(deps, caller, claimInput);
  await revokeClaim(deps, caller, revoked.id);
  now = new Date(now.getTime() + 2 * 3_600_000);
  for (const token of [expired.token, revoked.token, 'made-up']) {
    await expect(enrollDevice(deps, request(token, 'NOPE0001'), options)).rejects.toMatchObject({
      code: 1000,
      reason: 'claim-not-in-force',
      message: 'the claim token is unknown, used up or expired',
    });
  }
});

test('the token is shown once and stored only as a hash', async () => {
  const claim = await createClaim(deps, caller, claimInput);
  expect(claim.token).toMatch(/^[\w-]{43}$/);
  expect(claim.installCommand).toContain(claim.token);
  const stored = await db.database.pool.query('select c::text as text from claim c where id = $1', [
    claim.id,
  ]);
  expect(stored.rows[0].text).not.toContain(claim.token);
});

test('users cannot create a claim for devices outside their scope', async () => {
  const viewer = limitedTo({ countries: ['PL'] }, ['devices:read', 'devices:manage']);
  const wanted = createClaim(deps, callerOf(viewer), { ...claimInput, country: 'DE' });
  await expect(wanted).rejects.toMatchObject({ code: 1000 });
  await expect(
    createClaim(deps, callerOf(viewer), { ...claimInput, country: 'PL' }),
  ).resolves.toMatchObject({ uses: 1 });
});

test('enrolling again supersedes the instance and blocks the old connection', async () => {
  const claim = await createClaim(deps, caller, claimInput);
  const first = await enrollDevice(deps, request(claim.token, 'AGAIN001'), options);
  const own = await createDeviceClaim(deps, caller, { id: first.deviceId, lifetimeHours: 1 });
  published.length = 0;
  const second = await enrollDevice(deps, request(own.token, 'again001'), options);
  expect(second).toMatchObject({ deviceId: first.deviceId, created: false, reEnrolled: true });
  expect(published).toContainEqual({ kind: 'devices-blocked', deviceIds: [first.deviceId] });
  const device = await getDevice(deps, administrator, 'again001');
  expect(device).toMatchObject({ lifecycle: 'active', instanceId: second.instanceId });
  expect(device.instances.map((each) => [each.id, each.state])).toEqual(
    expect.arrayContaining([
      [second.instanceId, 'current'],
      [first.instanceId, 'superseded'],
    ]),
  );
  expect((await auditTypes(first.deviceId)).toSorted()).toEqual([
    'device.claim-created',
    'device.created',
    'device.enrolled',
    'device.re-enrolled',
  ]);
});

test('of two machines with the same new serial number, one becomes the device', async () => {
  const claims = await Promise.all([1, 2].map(() => createClaim(deps, caller, claimInput)));
  const both = await Promise.allSettled(
    claims.map(({ token }) => enrollDevice(deps, request(token, 'TWINS001'), options)),
  );
  const [one] = both.filter((each) => each.status === 'fulfilled');
  const [other] = both.filter((each) => each.status === 'rejected');
  expect(one?.value).toMatchObject({ created: true, reEnrolled: false });
  expect(other?.reason).toMatchObject({ code: 1000 });
});

test('a claim of an import enrolls exactly the devices of that file', async () => {
  const imports = new ImportFixture(db.database);
  const { id } = await imports.run(caller.viewer, {
    content: 'serialNumber,name\nCSVA0001,one\nCSVA0002,two\n',
  });
  const { token } = await createClaimOfImport(imports.deps, caller, { id, lifetimeHours: 24 });
  await expect(enrollDevice(deps, request(token, 'OTHER001'), options)).rejects.toMatchObject({
    code: 1000,
  });
  const enrolled = await enrollDevice(deps, request(token, 'CSVA0002'), options);
  expect(enrolled).toMatchObject({ created: false, reEnrolled: false });
  expect(await getDevice(deps, administrator, enrolled.deviceId)).toMatchObject({
    name: 'two',
    lifecycle: 'active',
  });
});

test('a claim for one existing device enrolls only that device', async () => {
  const claim = await createClaim(deps, caller, {
    ...claimInput,
    uses: 9,
    device: { serialNumber: 'SOLO0001', name: 'lobby' },
  });
  expect(claim.uses).toBe(1);
  await expect(enrollDevice(deps, request(claim.token, 'SOLO0002'), options)).rejects.toMatchObject(
    {
      code: 1000,
    },
  );
  await expect(
    enrollDevice(deps, request(claim.token, 'SOLO0001'), options),
  ).resolves.toMatchObject({
    deviceId: claim.deviceId,
  });
});

test('a suspended or retired device cannot be enrolled', async () => {
  const first = await createClaim(deps, caller, claimInput);
  const { deviceId } = await enrollDevice(deps, request(first.token, 'GONE0001'), options);
  const claim = await createDeviceClaim(deps, caller, { id: deviceId, lifetimeHours: 1 });
  for (const act of ['suspend', 'retire'] as const) {
    await changeLifecycle(deps, caller, { id: deviceId, reason: 'lost', act });
    await expect(
      enrollDevice(deps, request(claim.token, 'GONE0001'), options),
    ).rejects.toMatchObject({
      code: 1000,
    });
  }
});

test('the agent that the server starts becomes its device again after its state was deleted', async () => {
  const claim = () => claimForLocalAgent(deps, 'this machine');
  const first = await enrollDevice(deps, request(await claim(), 'LOCAL001'), options);
  const unused = await claim();
  for (const serialNumber of ['LOCAL001', null]) {
    const again = await enrollDevice(deps, request(await claim(), serialNumber), options);
    expect(again).toMatchObject({ deviceId: first.deviceId, reEnrolled: true });
  }
  await expect(enrollDevice(deps, request(unused, 'LOCAL002'), options)).rejects.toMatchObject({
    code: 1000,
  });
});

test('a claim with the name of the portal has no additional rights', async () => {
  await createClaim(deps, caller, {
    ...claimInput,
    device: { serialNumber: 'NAMED001', name: 'recorded' },
  });
  const { id, token } = await createClaim(deps, caller, { ...claimInput, labels: { site: 'b' } });
  await db.database.pool.query("update claim set created_by = 'Device Portal' where id = $1", [id]);
  await expect(enrollDevice(deps, request(token, 'NAMED001'), options)).rejects.toMatchObject({
    reason: 'claim-not-covering-device',
    message: 'the claim does not cover the device with this serial number',
  });
});

test('a claim for one device requires permission to manage it', async () => {
  const claim = await createClaim(deps, caller, {
    ...claimInput,
    country: 'DE',
    device: { serialNumber: 'SCOPE001', name: 'berlin' },
  });
  const wanted = { id: claim.deviceId ?? '', lifetimeHours: 1 };
  const abroad = limitedTo({ countries: ['PL'] }, ['devices:read', 'devices:manage']);
  await expect(createDeviceClaim(deps, callerOf(abroad), wanted)).rejects.toMatchObject({
    code: 6000,
  });
  const local = limitedTo({ countries: ['DE'] }, ['devices:read', 'devices:manage']);
  const created = await createDeviceClaim(deps, callerOf(local), wanted);
  const listed = await listClaims(deps, { ...local, username: 'other' }, firstPage);
  expect(listed.rows.map(({ id }) => id)).toContain(created.id);
});

test('the pages of claims contain exactly the claims within the scope of devices:manage', async () => {
  const someoneElse = callerOf({ ...administrator, username: 'else@example.com' });
  const near = [];
  for (let made = 0; made < 5; made += 1) {
    near.push((await createClaim(deps, someoneElse, { ...claimInput, country: 'NZ' })).id);
  }
  // More than a page, newer, and out of scope.
  await db.database.pool.query(`
    insert into claim (id, token_hash, country, uses, uses_left, expires_at, created_by)
    select gen_random_uuid(), sha256(n::text::bytea), 'PL', 1, 1, '2027-01-01', 'else@example.com'
    from generate_series(1, 600) n`);
  const viewer = limitedTo({ countries: ['NZ'] }, ['devices:manage']);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listClaims>> = await listClaims(
      deps,
      { ...viewer, username: 'manager@example.com' },
      { pageSize: 2, cursor },
    );
    expect(page.rows.length).toBe(page.nextCursor === null ? 1 : 2);
    seen.push(...page.rows.map((row) => row.id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(seen).toEqual(near.toReversed());
});
