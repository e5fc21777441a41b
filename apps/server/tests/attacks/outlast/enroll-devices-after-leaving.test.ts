import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ClaimRow, CreatedClaim } from '@deviceportal/contract/devices';
import type { Page } from '@deviceportal/contract/pages';
import { AccessFixture } from '../../support/access-fixture.ts';
import { claimByImport } from '../../imports/claim-by-import.ts';
import { enrollMachineAt, type EnrollmentAnswer } from '../../support/enrolling-machine.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

const everywhere = { countries: [], models: [], labels: {} };
let portal: TestServer;
let admin: AccessFixture;
let people = 0;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
});
afterAll(() => portal[Symbol.asyncDispose]());

const enroll = (claimToken: string, serialNumber: string): Promise<EnrollmentAnswer> =>
  enrollMachineAt({ url: portal.url, claimToken, serialNumber });

/** A user with their own role, which manages devices in the scope. */
async function manager(scope: object = everywhere) {
  people += 1;
  const permissions = ['devices:read', 'devices:manage', 'people:read'];
  const role = await admin.createRole(`Managers ${people}`, permissions, scope);
  const address = `manager-${people}@example.com`;
  await admin.invite(address, role.name);
  const setup = await AccessFixture.open(portal, address);
  return { setup, role, id: (await setup.session()).userId };
}
type Manager = Awaited<ReturnType<typeof manager>>;

const suspend = ({ id }: Manager): Promise<unknown> =>
  admin.done('access.users.changeStatus', {
    ...{ id, act: 'suspend', reason: 'has left', stopQueued: false },
  });
const restore = ({ id }: Manager): Promise<unknown> =>
  admin.done('access.users.changeStatus', { id, act: 'restore' });

/** Limits their role to one country. */
const narrow = ({ role }: Manager, country: string): Promise<unknown> =>
  admin.done('access.roles.edit', {
    ...{ id: role.id, basedOn: role.updatedAt, name: role.name, permissions: role.permissions },
    scope: { ...everywhere, countries: [country] },
  });

const createClaim = ({ setup }: Manager, input: object = {}): Promise<CreatedClaim> =>
  setup.done('devices.createClaim', { uses: 10, ...input });

const stateOf = async ({ id }: CreatedClaim): Promise<ClaimRow['state'] | undefined> =>
  (await admin.read<Page<ClaimRow>>('devices.listClaims', { pageSize: 100 })).rows.find(
    (row) => row.id === id,
  )?.state;

const endsOf = async (claim: CreatedClaim) =>
  (await admin.trail('device.claim-ended')).filter(({ data }) => data['claimId'] === claim.id);

const LOST = 'the user who created it may no longer manage these devices';

it('a suspended user cannot enroll a device with a claim created earlier', async () => {
  const leaver = await manager();
  const claim = await createClaim(leaver);
  expect((await enroll(claim.token, 'KEPT-1')).status).toBe(200);
  expect(await stateOf(claim)).toBe('open');
  await suspend(leaver);
  expect(await stateOf(claim)).toBe('right-ended');
  for (const serial of ['KEPT-2', 'KEPT-3']) {
    const { status, body } = await enroll(claim.token, serial);
    expect([status, body.message]).toEqual([403, expect.stringContaining(LOST)]);
  }
  const found = await admin.read<{ rows: unknown[] }>('devices.list', {
    filter: { text: 'KEPT-' },
  });
  expect(found.rows).toHaveLength(1);
  expect(await endsOf(claim)).toMatchObject([
    { actor: { kind: 'system' }, data: { reason: 'right-ended' } },
  ]);
});

it('a rejected claim stays ended when its creator is restored', async () => {
  const leaver = await manager();
  const [tried, untried] = [await createClaim(leaver), await createClaim(leaver)];
  await suspend(leaver);
  expect((await enroll(tried.token, 'BACK-1')).status).toBe(403);
  await restore(leaver);
  expect((await enroll(tried.token, 'BACK-1')).status).toBe(403);
  expect((await enroll(untried.token, 'BACK-2')).status).toBe(200);
  expect([await stateOf(tried), await stateOf(untried)]).toEqual(['right-ended', 'open']);
});

it('a user whose role was limited cannot enroll a device beyond it with an earlier claim', async () => {
  const mover = await manager({ ...everywhere, countries: ['DE', 'FR'] });
  const german = await createClaim(mover, { country: 'DE' });
  const french = await createClaim(mover, { country: 'FR' });
  await narrow(mover, 'FR');
  expect((await enroll(german.token, 'BORDER-DE')).body.message).toContain(LOST);
  expect((await enroll(french.token, 'BORDER-FR')).status).toBe(200);
  expect([await stateOf(german), await stateOf(french)]).toEqual(['right-ended', 'open']);
});

it('a claim of an import ends only for devices that its creator can no longer manage', async () => {
  const mover = await manager({ ...everywhere, countries: ['DE', 'FR'] });
  const csv = [
    'serialNumber,name,model,ownerEmail,country,labels',
    ...['IMPORT-DE,,,,DE,', 'IMPORT-FR,,,,FR,', 'IMPORT-FR-2,,,,FR,'],
  ].join('\n');
  const claim = await claimByImport(portal.url, mover.setup.done.bind(mover.setup), { csv });
  await narrow(mover, 'FR');
  for (let tries = 0; tries < 2; tries += 1)
    expect((await enroll(claim.token, 'IMPORT-DE')).body.message).toContain(LOST);
  expect(await endsOf(claim)).toMatchObject([{ deviceId: expect.any(String) }]);
  expect((await enroll(claim.token, 'IMPORT-FR')).status).toBe(200);
  expect(await stateOf(claim)).toBe('open');
  await suspend(mover);
  expect(await stateOf(claim)).toBe('right-ended');
  expect((await enroll(claim.token, 'IMPORT-FR-2')).body.message).toContain(LOST);
});

it('a device that was added does not enroll with the claim of a resigned user', async () => {
  const leaver = await manager();
  const device = { serialNumber: 'RECORDED-1', name: 'Till' };
  const claim = await createClaim(leaver, { device });
  await suspend(leaver);
  expect((await enroll(claim.token, 'RECORDED-1')).body.message).toContain(LOST);
  const [event] = await endsOf(claim);
  expect(event?.deviceId).toBe(claim.deviceId);
});
