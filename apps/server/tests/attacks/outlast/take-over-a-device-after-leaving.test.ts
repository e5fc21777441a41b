import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CreatedClaim, DeviceDetail } from '@deviceportal/contract/devices';
import type { ReEnrollmentRequest } from '@deviceportal/contract/re-enrollment';
import { AccessFixture } from '../../support/access-fixture.ts';
import { enrollMachineAt, type EnrollmentAnswer } from '../../support/enrolling-machine.ts';
import { createRequest } from '../../support/gateway-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

type Machine = Awaited<ReturnType<typeof createRequest>>;

let portal: TestServer;
let admin: AccessFixture;
let generic: string;
let people = 0;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  generic = (await admin.done<CreatedClaim>('devices.createClaim', { uses: 200 })).token;
});
afterAll(() => portal[Symbol.asyncDispose]());

const enroll = (
  claimToken: string,
  serialNumber: string,
  machine?: Machine,
): Promise<EnrollmentAnswer> =>
  enrollMachineAt({ url: portal.url, claimToken, serialNumber, ...(machine && { machine }) });

const suspend = (id: string): Promise<unknown> =>
  admin.done('access.users.changeStatus', {
    ...{ id, act: 'suspend', reason: 'has left', stopQueued: false },
  });

async function manager() {
  people += 1;
  const address = `leaver-${people}@example.com`;
  await admin.invite(address, 'Administrator');
  const setup = await AccessFixture.open(portal, address);
  return { setup, id: (await setup.session()).userId };
}

const claimOf = async (setup: AccessFixture, id: string): Promise<string> =>
  (await setup.done<CreatedClaim>('devices.createDeviceClaim', { id })).token;
const instanceOf = async (device: string): Promise<string | null> =>
  (await admin.read<DeviceDetail>('devices.get', { device })).instanceId;

it('a user who can no longer manage a device cannot take it over with an earlier claim', async () => {
  const first = await enroll(generic, 'LEAVE0001');
  const { deviceId, instanceId } = first.body;
  const suspended = await manager();
  const lessened = await manager();
  const kept = await Promise.all(
    [suspended, lessened].map(({ setup }) => claimOf(setup, deviceId)),
  );
  await suspend(suspended.id);
  const [{ id: viewer }, { id: administrator }] = await Promise.all([
    admin.role('Viewer'),
    admin.role('Administrator'),
  ]);
  const change = { id: lessened.id, add: [viewer], remove: [administrator] };
  await admin.done('access.users.changeRoles', change);
  for (const token of kept) {
    expect((await enroll(token, 'LEAVE0001')).status).toBe(403);
    expect(await instanceOf('LEAVE0001')).toBe(instanceId);
  }
  const own = await enroll(await claimOf(admin, deviceId), 'LEAVE0001');
  expect(own).toMatchObject({ status: 200, body: { deviceId } });
});

it('nor with a machine that they approved before they left', async () => {
  const { deviceId, instanceId } = (await enroll(generic, 'LEAVE0002')).body;
  const machine = await createRequest();
  expect((await enroll(generic, 'LEAVE0002', machine)).status).toBe(403);
  const { setup, id } = await manager();
  const request = await setup.read<ReEnrollmentRequest>('devices.getReEnrollment', { deviceId });
  await setup.done('devices.approveReEnrollment', { id: request.id });
  await suspend(id);
  expect((await enroll(generic, 'LEAVE0002', machine)).status).toBe(403);
  expect(await instanceOf('LEAVE0002')).toBe(instanceId);
});
