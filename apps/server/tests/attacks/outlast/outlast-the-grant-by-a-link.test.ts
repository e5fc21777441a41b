import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditExport } from '@deviceportal/contract/audit-trail';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import type { SoftwareUploadLink } from '@deviceportal/contract/versions';
import { AccessFixture } from '../../support/access-fixture.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessFixture;
let people = 0;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessFixture.open(portal, 'admin');
  await admin.done('versions.register', { component: 'firmware', version: '1.0' });
});
afterAll(() => portal[Symbol.asyncDispose]());

async function invited(role: string): Promise<AccessFixture> {
  people += 1;
  const address = `temporary-${people}@example.com`;
  await admin.invite(address, role);
  return AccessFixture.open(portal, address);
}

/** Gives a user temporary administrator access; returns a function that ends it. */
async function elevate(setup: AccessFixture): Promise<() => Promise<void>> {
  const { id: roleId } = await admin.role('Administrator');
  const { id } = await setup.done<AccessGrantRow>('access.accessGrants.ask', {
    ...{ roleId, reason: 'the night shift', minutes: 60 },
  });
  await admin.done('access.accessGrants.grant', { id });
  return () => admin.done('access.accessGrants.end', { id });
}

const exporting = (setup: AccessFixture): Promise<AuditExport> =>
  setup.done('auditTrail.export', { format: 'json', filter: {} });
const statusOf = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(new URL(url, portal.url), init)).status;

test('a link to an export is invalid after the temporary access with which it was created', async () => {
  const setup = await invited('Viewer');
  const end = await elevate(setup);
  const { downloadUrl } = await exporting(setup);
  expect(await statusOf(downloadUrl)).toBe(200);
  await end();
  expect(await statusOf(downloadUrl)).toBe(403);
  expect(await statusOf(downloadUrl.replace(/access=[^&]*&/, ''))).toBe(404);
});

test('an upload link is invalid after the temporary access with which it was created', async () => {
  const setup = await invited('Viewer');
  const end = await elevate(setup);
  const { url } = await setup.done<SoftwareUploadLink>('versions.createUpload', {
    ...{ component: 'firmware', version: '1.0', bytes: 4, name: 'firmware.bin' },
  });
  const piece = { 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-3/4' };
  expect(await statusOf(url)).toBe(200);
  await end();
  expect(await statusOf(url, { method: 'PUT', headers: piece, body: 'evil' })).toBe(403);
});

test('a link created with permanent roles stays valid', async () => {
  const setup = await invited('Auditor');
  const { downloadUrl } = await exporting(setup);
  const end = await elevate(setup);
  await end();
  expect(await statusOf(downloadUrl)).toBe(200);
});

test('a link is invalid after the permanent role with which it was created was removed', async () => {
  const setup = await invited('Auditor');
  const { downloadUrl } = await exporting(setup);
  const [{ id: viewerRole }, { id: auditorRole }] = await Promise.all([
    admin.role('Viewer'),
    admin.role('Auditor'),
  ]);
  const { userId: id } = await setup.session();
  await admin.done('access.users.changeRoles', { id, add: [viewerRole], remove: [] });
  expect(await statusOf(downloadUrl)).toBe(200);
  await admin.done('access.users.changeRoles', { id, add: [], remove: [auditorRole] });
  expect(await statusOf(downloadUrl)).toBe(403);
  expect(await statusOf(downloadUrl.replace(/rights=[^&]*&/, ''))).toBe(404);
});
