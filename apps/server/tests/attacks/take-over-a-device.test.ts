import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedClaim, DeviceDetail } from '@deviceportal/contract/devices';
import { enrollMachine } from '../../../agent/src/run-agent.ts';
import { claimByImport } from '../imports/claim-by-import.ts';
import { enrollMachineAt, type EnrollmentAnswer } from '../support/enrolling-machine.ts';
import { mutate, query } from '../support/portal-api.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let token: string;
let generic: string;

beforeAll(async () => {
  portal = await startTestServer([], { DEVICEPORTAL_TRUST_PROXY: '127.0.0.0/8' });
  token = await portal.signIn('admin');
  generic = (await order<CreatedClaim>('devices.createClaim', { uses: 200 })).token;
});
afterAll(() => portal[Symbol.asyncDispose]());

async function order<Data>(path: string, input: unknown): Promise<Data> {
  const answer = await mutate(portal.url, { path, input, token });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data as Data;
}

const claimFor = async (id: string): Promise<string> =>
  (await order<CreatedClaim>('devices.createDeviceClaim', { id })).token;

type Attempt = Omit<Parameters<typeof enrollMachineAt>[0], 'url' | 'claimToken'>;

/** Each machine has its own address, so that rejections elsewhere do not limit it. */
const enroll = (claimToken: string, attempt: Attempt): Promise<EnrollmentAnswer> =>
  enrollMachineAt({ url: portal.url, claimToken, address: nextAddress(), ...attempt });

let addresses = 0;
const nextAddress = (): string => `198.51.100.${(addresses += 1)}`;

const instanceOf = async (device: string): Promise<string | null> =>
  (
    (await query(portal.url, { path: 'devices.get', input: { device }, token }))
      .data as DeviceDetail
  ).instanceId;

test('a machine with a claim for many uses cannot become an active device by its serial number', async () => {
  const first = await enroll(generic, { serialNumber: 'TAKE0001' });
  const taken = await enroll(generic, { serialNumber: 'take0001' });
  expect([taken.status, taken.body.code]).toEqual([403, 1000]);
  expect(taken.body.message).toContain('Re-enroll device');
  expect(await instanceOf('TAKE0001')).toBe(first.body.instanceId);
});

test('two concurrent machines cannot both become one device', async () => {
  const attempts = await Promise.all(
    Array.from({ length: 6 }, () => enroll(generic, { serialNumber: 'TAKE0002' })),
  );
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([200, 403, 403, 403, 403, 403]);
});

test('a machine with the claim of an import cannot become an enrolled device of that import', async () => {
  const claim = await claimByImport(portal.url, order, {
    csv: 'serialNumber,name\nTAKE0003,a\nTAKE0004,b\n',
  });
  const first = await enroll(claim.token, { serialNumber: 'TAKE0003' });
  expect(first.status).toBe(200);
  expect((await enroll(claim.token, { serialNumber: 'TAKE0003' })).status).toBe(403);
  expect((await enroll(claim.token, { serialNumber: 'TAKE0004' })).status).toBe(200);
});

test("a machine cannot become a device with another device's key, a stolen certificate, or an old proof", async () => {
  const device = await enroll(generic, { serialNumber: 'TAKE0005' });
  const other = await enroll(generic, { serialNumber: 'TAKE0006' });
  const { certificate } = device.holds;
  const attempts: Omit<Attempt, 'serialNumber'>[] = [
    { former: other.holds },
    { former: { certificate, privateKey: other.holds.privateKey } },
    { former: device.holds, provenFor: 'another claim' },
    { former: { certificate: 'not a certificate', privateKey: device.holds.privateKey } },
  ];
  for (const attempt of attempts) {
    const taken = await enroll(generic, { serialNumber: 'TAKE0005', ...attempt });
    expect(taken.status).toBe(403);
  }
  expect(await instanceOf('TAKE0005')).toBe(device.body.instanceId);
});

test('a machine with its key enrolls again, and the key that it had then cannot', async () => {
  const first = await enroll(generic, { serialNumber: 'TAKE0007' });
  const second = await enroll(generic, { serialNumber: 'TAKE0007', former: first.holds });
  expect(second).toMatchObject({ status: 200, body: { deviceId: first.body.deviceId } });
  expect(await instanceOf('TAKE0007')).toBe(second.body.instanceId);
  const third = await enroll(generic, { serialNumber: 'TAKE0007', former: first.holds });
  expect(third.status).toBe(403);
});

test('the agent enrolls its machine again with its state, and cannot without it', async () => {
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dp-agent-'));
  try {
    const place = { stateDirectory, serialNumber: 'TAKE0014', log: () => {} };
    const orderOf = { serverUrl: portal.url, claimToken: generic };
    const first = await enrollMachine(place, orderOf);
    const second = await enrollMachine(place, orderOf);
    expect(second.deviceId).toBe(first.deviceId);
    expect(await instanceOf('TAKE0014')).toBe(second.instanceId);
    await rm(join(stateDirectory, 'identity.json'));
    await expect(enrollMachine(place, orderOf)).rejects.toThrow('Re-enroll device');
  } finally {
    await rm(stateDirectory, { recursive: true, force: true });
  }
});

test('a claim for one device cannot be used for another, or twice', async () => {
  const device = await enroll(generic, { serialNumber: 'TAKE0008' });
  await enroll(generic, { serialNumber: 'TAKE0009' });
  const own = await claimFor(device.body.deviceId);
  expect((await enroll(own, { serialNumber: 'TAKE0009' })).status).toBe(403);
  const again = await enroll(own, { serialNumber: 'TAKE0008' });
  expect(again).toMatchObject({ status: 200, body: { deviceId: device.body.deviceId } });
  expect((await enroll(own, { serialNumber: 'TAKE0008' })).status).toBe(403);
});

test('neither a key of a suspended device nor a claim for it can enroll it', async () => {
  const device = await enroll(generic, { serialNumber: 'TAKE0010' });
  const { deviceId } = device.body;
  const own = await claimFor(deviceId);
  await order('devices.suspend', { id: deviceId, reason: 'lost' });
  const attempt = { serialNumber: 'TAKE0010', former: device.holds };
  expect((await enroll(generic, attempt)).status).toBe(403);
  expect((await enroll(own, attempt)).status).toBe(403);
});

test('a null character in an enrollment cannot cause an error in the server', async () => {
  const broken = [
    { hostName: 'a\0b' },
    { model: '\0' },
    { platformName: '\0' },
    { serialNumber: 'TAKE\0' },
    { claimToken: `${generic}\0` },
  ];
  for (const facts of broken) {
    const refused = await enroll(generic, { serialNumber: 'TAKE0011', facts });
    expect([refused.status, refused.body.code]).toEqual([400, 2004]);
  }
});

test('a guesser cannot lock out the machines that share its address', async () => {
  const statuses: number[] = [];
  for (let host = 1; host <= 25; host += 1) {
    const address = `2001:db8:7:7::${host.toString(16)}`;
    statuses.push((await enroll('wrong', { serialNumber: 'TAKE0012', address })).status);
  }
  expect(statuses).toEqual([...Array(20).fill(403), ...Array(5).fill(429)]);
  const address = '2001:db8:7:7::ffff';
  const right = await enroll(generic, { serialNumber: 'TAKE0012', address });
  expect(right.status).toBe(200);
  expect((await enroll('wrong', { serialNumber: 'TAKE0013', address })).status).toBe(429);
});
