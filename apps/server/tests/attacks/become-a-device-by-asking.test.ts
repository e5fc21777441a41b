import { createPrivateKey, createPublicKey, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedClaim, DeviceDetail, ClaimRow } from '@deviceportal/contract/devices';
import { growthLimits } from '@deviceportal/contract/growth-limits';
import type { Notification } from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import type { ReEnrollmentRequest } from '@deviceportal/contract/re-enrollment';
import { keyFingerprint } from '@deviceportal/device-protocol/key-fingerprint';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { enrollMachineAt, type EnrollmentAnswer } from '../support/enrolling-machine.ts';
import { createRequest } from '../support/gateway-fixture.ts';
import type { ApiAnswer } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

type Machine = Awaited<ReturnType<typeof createRequest>>;

let portal: TestServer;
let database: Database;
let admin: AccessFixture;
let claim: CreatedClaim;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.0/8' });
  database = openDatabase({ url: portal.installation.databaseUrl, maxConnections: 2 });
  admin = await AccessFixture.open(portal, 'admin');
  claim = await admin.done('devices.createClaim', { uses: 200 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

let addresses = 0;

function come(serialNumber: string, machine: Machine): Promise<EnrollmentAnswer> {
  // Each machine has its own address, so that rejections of one do not limit the next.
  const address = `198.51.${Math.floor((addresses += 1) / 200)}.${1 + (addresses % 200)}`;
  return enrollMachineAt({
    url: portal.url,
    claimToken: claim.token,
    serialNumber,
    machine,
    address,
  });
}

const reasonOf = ({ status, body }: EnrollmentAnswer) => [
  status,
  body.code,
  body.facts?.['reason'],
];
const waiting = [403, 1000, 're-enrolment-waiting'];

/** An enrolled device, and a machine without its key. */
async function deviceAndMachine(serialNumber: string) {
  const first = await come(serialNumber, await createRequest());
  expect(first.status).toBe(200);
  return {
    id: first.body.deviceId,
    instanceId: first.body.instanceId,
    machine: await createRequest(),
  };
}

const requestOf = (deviceId: string, setup = admin): Promise<ReEnrollmentRequest | null> =>
  setup.read('devices.getReEnrollment', { deviceId });

/** A device, and a machine that requests to become it. */
async function asked(serialNumber: string) {
  const known = await deviceAndMachine(serialNumber);
  expect(reasonOf(await come(serialNumber, known.machine))).toEqual(waiting);
  const request = await requestOf(known.id);
  if (request === null) throw new Error('no request was made');
  return { ...known, request };
}

const approve = (id: string, setup = admin): Promise<ApiAnswer> =>
  setup.order('devices.approveReEnrollment', { id });
const reject = (id: string): Promise<ApiAnswer> =>
  admin.order('devices.rejectReEnrollment', { id });
const device = (id: string): Promise<DeviceDetail> => admin.read('devices.get', { device: id });
const endNow = (deviceId: string) =>
  database.orm.execute(sql`
    update re_enrollment_request set expires_at = portal_now() where device_id = ${deviceId}`);

async function eventsOf(deviceId: string): Promise<string[]> {
  const page = await admin.read<Page<{ type: string }>>('auditTrail.list', {
    filter: {
      deviceId,
      types: ['requested', 'approved', 'rejected'].map((act) => `device.re-enrolment-${act}`),
    },
  });
  return page.rows.map(({ type }) => type).toReversed();
}

test('a machine cannot become a device by repeated requests, and a request uses up no claim', async () => {
  const { id, instanceId, machine, request } = await asked('ASKS0001');
  expect(reasonOf(await come('asks0001', machine))).toEqual(waiting);
  expect((await device(id)).instanceId).toBe(instanceId);
  const spki = createPublicKey(createPrivateKey(machine.key)).export({
    type: 'spki',
    format: 'der',
  });
  expect(request).toMatchObject({
    keyFingerprint: keyFingerprint(spki),
    machine: { hostName: 'host', model: 'kiosk', platform: 'Ubuntu 24.04' },
    device: { hostName: 'host', model: 'kiosk', platform: 'Ubuntu 24.04' },
    approvedBy: null,
  });
  const { rows } = await admin.read<Page<ClaimRow>>('devices.listClaims', {});
  expect(rows.find((row) => row.id === claim.id)?.usesLeft).toBe(199);
  expect(await eventsOf(id)).toEqual(['device.re-enrolment-requested']);
});

test('an approved machine becomes the device only once, and the old instance is superseded', async () => {
  const { id, instanceId, machine, request } = await asked('ASKS0002');
  expect((await approve(request.id)).status).toBe(200);
  expect((await requestOf(id))?.approvedBy).toMatch(/admin/);
  const attempts = await Promise.all([1, 2, 3].map(() => come('ASKS0002', machine)));
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
  const after = await device(id);
  expect(after.instanceId).toBe(attempts.find(({ status }) => status === 200)?.body.instanceId);
  expect(after.instances.find((one) => one.id === instanceId)?.state).toBe('superseded');
  const [enrolled] = await admin.trail('device.re-enrolled');
  expect(enrolled).toMatchObject({ deviceId: id, data: { reEnrolmentId: request.id } });
});

test('another key can neither use an approval nor displace a request', async () => {
  const { id, instanceId, request } = await asked('ASKS0003');
  const another = await createRequest();
  const pushed = await come('ASKS0003', another);
  expect(reasonOf(pushed)).toEqual([403, 1000, 're-enrolment-of-another']);
  await approve(request.id);
  expect((await come('ASKS0003', another)).status).toBe(403);
  expect((await device(id)).instanceId).toBe(instanceId);
  expect((await requestOf(id))?.id).toBe(request.id);
});

test('the certificate request of another machine cannot be sent with a different key', async () => {
  const { id, instanceId, machine, request } = await asked('ASKS0004');
  await approve(request.id);
  const lines = machine.request.split('\n');
  lines[2] = (lines[2] ?? '').split('').toReversed().join('');
  const forged = await come('ASKS0004', { ...machine, request: lines.join('\n') });
  expect(forged.status).toBeGreaterThanOrEqual(400);
  expect((await device(id)).instanceId).toBe(instanceId);
});

test('a request cannot be approved twice, even at the same time', async () => {
  const { id, request } = await asked('ASKS0005');
  const answers = await Promise.all([1, 2, 3, 4].map(() => approve(request.id)));
  expect(answers.map(({ code }) => code).toSorted()).toEqual([2004, 2004, 2004, undefined]);
  expect(await eventsOf(id)).toEqual([
    'device.re-enrolment-requested',
    'device.re-enrolment-approved',
  ]);
});

test('an expired request cannot be approved, and an expired approval cannot be used', async () => {
  const { id, instanceId, machine, request } = await asked('ASKS0006');
  await endNow(id);
  expect((await approve(request.id)).code).toBe(2004);
  expect(reasonOf(await come('ASKS0006', machine))).toEqual(waiting);
  await approve((await requestOf(id))?.id ?? '');
  await endNow(id);
  expect(reasonOf(await come('ASKS0006', machine))).toEqual(waiting);
  expect((await requestOf(id))?.approvedBy).toBeNull();
  expect((await device(id)).instanceId).toBe(instanceId);
});

test('a rejected machine cannot request again, and an approval can be withdrawn before its use', async () => {
  const { id, machine, request } = await asked('ASKS0007');
  await approve(request.id);
  expect((await reject(request.id)).status).toBe(200);
  const refused = [403, 1000, 're-enrolment-rejected'];
  expect(reasonOf(await come('ASKS0007', machine))).toEqual(refused);
  expect((await approve(request.id)).code).toBe(2004);
  expect(await requestOf(id)).toBeNull();
  expect(reasonOf(await come('ASKS0007', await createRequest()))).toEqual(waiting);
});

test('a user can neither decide on a request for a device outside their scope nor see it', async () => {
  const french = { countries: ['FR'], models: [], labels: {} };
  await admin.createRole('French managers', ['devices:read', 'devices:manage'], french);
  await admin.invite('asks-french@example.com', 'French managers');
  const setup = await AccessFixture.open(portal, 'asks-french@example.com');
  const { id, machine, request } = await asked('ASKS0008');
  const withoutIds = ({ body }: ApiAnswer) =>
    JSON.stringify(body).replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id');
  for (const path of ['devices.approveReEnrollment', 'devices.rejectReEnrollment']) {
    const beyond = await setup.order(path, { id: request.id });
    expect(beyond.code).toBe(2004);
    expect(withoutIds(beyond)).toBe(withoutIds(await setup.order(path, { id: randomUUID() })));
    expect(JSON.stringify(beyond.body)).not.toContain(id);
  }
  expect(await requestOf(id, setup)).toBeNull();
  expect(reasonOf(await come('ASKS0008', machine))).toEqual(waiting);
  const told = async (who: AccessFixture): Promise<unknown[]> =>
    (await who.read<Page<Notification>>('notifications.list', {})).rows
      .filter(({ kind, facts }) => kind === 're-enrolment-asked' && facts['deviceId'] === id)
      .map(({ facts }) => facts['device']);
  expect(await told(admin)).toEqual(['ASKS0008']);
  expect(await told(setup)).toEqual([]);
});

test('a suspended or retired device cannot be requested, and suspending ends an approval', async () => {
  const { id, machine, request } = await asked('ASKS0009');
  await approve(request.id);
  await admin.done('devices.suspend', { id, reason: 'lost' });
  expect(reasonOf(await come('ASKS0009', machine))).toEqual([403, 1000, undefined]);
  expect(await requestOf(id)).toBeNull();
  await admin.done('devices.resume', { id, reason: '' });
  expect(reasonOf(await come('ASKS0009', machine))).toEqual(waiting);
  await admin.done('devices.retire', { id, reason: '' });
  expect(reasonOf(await come('ASKS0009', machine))).toEqual([403, 1000, undefined]);
  expect(await requestOf(id)).toBeNull();
});

test('an approval given with temporary access ends with that access', async () => {
  const address = 'asks-temporary@example.com';
  await admin.invite(address, 'Viewer');
  const setup = await AccessFixture.open(portal, address);
  const { id: roleId } = await admin.role('Administrator');
  const wanted = { roleId, reason: 'the night shift', minutes: 30 };
  const { id: accessGrant } = await setup.done<{ id: string }>('access.accessGrants.ask', wanted);
  const { endsAt } = await admin.done<{ endsAt: string }>('access.accessGrants.grant', {
    id: accessGrant,
  });
  const { id, instanceId, machine, request } = await asked('ASKS0011');
  expect((await approve(request.id, setup)).status).toBe(200);
  expect((await requestOf(id))?.expiresAt).toBe(endsAt);
  await admin.done('access.accessGrants.end', { id: accessGrant });
  expect(reasonOf(await come('ASKS0011', machine))).toEqual(waiting);
  expect((await device(id)).instanceId).toBe(instanceId);
});

test('a flood of machines creates one request and one notification per device, within a total limit', async () => {
  const { id, request } = await asked('ASKS0010');
  const flood = await Promise.all(
    Array.from({ length: 20 }, async () => come('ASKS0010', await createRequest())),
  );
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([403]));
  expect((await requestOf(id))?.id).toBe(request.id);
  expect(await eventsOf(id)).toEqual(['device.re-enrolment-requested']);

  const others = await Promise.all(
    Array.from({ length: 5 }, (_, index) => deviceAndMachine(`ASKS002${index}`)),
  );
  const { most } = growthLimits.openReEnrollments;
  await database.orm.execute(sql`
    insert into re_enrollment_request (device_id, id, key_fingerprint, machine, expires_at)
    select gen_random_uuid(), gen_random_uuid(), 'SHA256:x', '{}', portal_now() + interval '1 hour'
    from generate_series(1, ${most} - 1 - (
      select count(*)::int from re_enrollment_request where decision is null and expires_at > portal_now()))`);
  const answers = await Promise.all(
    others.map(({ machine }, index) => come(`ASKS002${index}`, machine)),
  );
  expect(answers.map(({ body }) => body.facts?.['reason']).toSorted()).toEqual([
    ...Array<string>(4).fill('limitReached'),
    're-enrolment-waiting',
  ]);
});
