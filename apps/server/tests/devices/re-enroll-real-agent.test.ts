import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrollMachine, startAgent, type RunningAgent } from '@deviceportal/agent/run-agent';
import type { CreatedClaim, DeviceDetail } from '@deviceportal/contract/devices';
import type { ReEnrollmentRequest } from '@deviceportal/contract/re-enrollment';
import { AccessFixture } from '../support/access-fixture.ts';
import { until } from '../support/gateway-fixture.ts';
import { startTestServer, type TestServer } from '../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let claim: CreatedClaim;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  claim = await admin.done('devices.createClaim', { uses: 10 });
});
afterAll(() => portal[Symbol.asyncDispose]());

const requestOf = (deviceId: string): Promise<ReEnrollmentRequest> =>
  admin.read('devices.getReEnrollment', { deviceId });

/** A device whose machine has enrolled and lost its state, and its agent, which has sent one request since. */
async function lostMachine(serialNumber: string) {
  await using cleanup = new AsyncDisposableStack();
  const stateDirectory = await mkdtemp(join(tmpdir(), 'dp-agent-'));
  cleanup.defer(() => rm(stateDirectory, { recursive: true, force: true }));
  const printed: { message: string; facts: object }[] = [];
  const log = (_level: string, message: string, facts: object = {}): void => {
    printed.push({ message, facts });
  };
  const place = { stateDirectory, serialNumber, log };
  const enrollment = { serverUrl: portal.url, claimToken: claim.token };
  await enrollMachine(place, enrollment);
  await rm(stateDirectory, { recursive: true });
  await expect(enrollMachine(place, enrollment)).rejects.toThrow('waiting for approval');
  printed.length = 0;
  const owned = cleanup.move();
  return {
    ...{ stateDirectory, printed },
    start: (): Promise<RunningAgent> =>
      startAgent({ ...place, enrollment, onRestartWanted: () => {} }),
    device: (): Promise<DeviceDetail> => admin.read('devices.get', { device: serialNumber }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('an agent that lost its state prints its key, waits for approval with the same key, and comes online as the device', async () => {
  await using cleanup = new AsyncDisposableStack();
  const { device, start, printed, stateDirectory } = cleanup.use(await lostMachine('LOST0001'));
  const before = await device();
  const asked = await requestOf(before.id);
  const starting = start();
  await until(() => printed.length > 0);
  expect(printed).toEqual([
    {
      message: expect.stringContaining('approve there'),
      facts: { keyFingerprint: asked.keyFingerprint, page: `${portal.url}/devices/LOST0001` },
    },
  ]);
  expect((await requestOf(before.id)).id).toBe(asked.id);
  expect((await device()).instanceId).toBe(before.instanceId);

  await admin.done('devices.approveReEnrollment', { id: asked.id });
  const agent = cleanup.use(await starting);
  expect(agent.identity.deviceId).toBe(before.id);
  const after = await until(async () => {
    const current = await device();
    return ['online', 'degraded'].includes(current.connectivity) ? current : undefined;
  });
  expect(after.instances.map(({ id, state }) => [id, state])).toEqual(
    expect.arrayContaining([
      [before.instanceId, 'superseded'],
      [agent.identity.instanceId, 'current'],
    ]),
  );
  expect(existsSync(join(stateDirectory, 'enrolment-key.pem'))).toBe(false);
}, 60_000);

test('an agent exits when its request is rejected', async () => {
  await using machine = await lostMachine('LOST0002');
  const ending = expect(machine.start()).rejects.toThrow('was rejected');
  await until(() => machine.printed.length > 0);
  const { id } = await requestOf((await machine.device()).id);
  await admin.done('devices.rejectReEnrollment', { id });
  await ending;
}, 60_000);
