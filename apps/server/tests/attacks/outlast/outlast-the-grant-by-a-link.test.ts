import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditExport } from '@deviceportal/contract/audit-trail';
import type { AccessGrantRow } from '@deviceportal/contract/access-grants';
import type { SoftwareUploadLink } from '@deviceportal/contract/versions';
import { AccessDesk } from '../../support/access-desk.ts';
import { startTestServer, type TestServer } from '../../support/start-test-server.ts';

let portal: TestServer;
let admin: AccessDesk;
let people = 0;

beforeAll(async () => {
  portal = await startTestServer();
  admin = await AccessDesk.open(portal, 'admin');
  await admin.done('versions.register', { component: 'firmware', version: '1.0' });
});
afterAll(() => portal[Symbol.asyncDispose]());

async function invited(role: string): Promise<AccessDesk> {
  people += 1;
  const address = `temporary-${people}@example.com`;
  await admin.invite(address, role);
  return AccessDesk.open(portal, address);
}

/** Makes somebody an administrator for a time, and answers what ends it. */
async function elevate(desk: AccessDesk): Promise<() => Promise<void>> {
  const { id: roleId } = await admin.role('Administrator');
  const { id } = await desk.done<AccessGrantRow>('access.accessGrants.ask', {
    ...{ roleId, reason: 'the night shift', minutes: 60 },
  });
  await admin.done('access.accessGrants.grant', { id });
  return () => admin.done('access.accessGrants.end', { id });
}

const exporting = (desk: AccessDesk): Promise<AuditExport> =>
  desk.done('auditTrail.export', { format: 'json', filter: {} });
const statusOf = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(new URL(url, portal.url), init)).status;

test('a link to an export opens nothing after the temporary access by which it was made', async () => {
  const desk = await invited('Viewer');
  const end = await elevate(desk);
  const { downloadUrl } = await exporting(desk);
  expect(await statusOf(downloadUrl)).toBe(200);
  await end();
  expect(await statusOf(downloadUrl)).toBe(403);
  expect(await statusOf(downloadUrl.replace(/access=[^&]*&/, ''))).toBe(404);
});

test('a link to upload software takes nothing after the temporary access by which it was made', async () => {
  const desk = await invited('Viewer');
  const end = await elevate(desk);
  const { url } = await desk.done<SoftwareUploadLink>('versions.createUpload', {
    ...{ component: 'firmware', version: '1.0', bytes: 4, name: 'firmware.bin' },
  });
  const piece = { 'content-type': 'application/octet-stream', 'content-range': 'bytes 0-3/4' };
  expect(await statusOf(url)).toBe(200);
  await end();
  expect(await statusOf(url, { method: 'PUT', headers: piece, body: 'evil' })).toBe(403);
});

test('a link that was made by lasting roles goes on', async () => {
  const desk = await invited('Auditor');
  const { downloadUrl } = await exporting(desk);
  const end = await elevate(desk);
  await end();
  expect(await statusOf(downloadUrl)).toBe(200);
});

test('a link opens nothing after a lasting role was taken by which it was made', async () => {
  const desk = await invited('Auditor');
  const { downloadUrl } = await exporting(desk);
  const [{ id: viewerRole }, { id: auditorRole }] = await Promise.all([
    admin.role('Viewer'),
    admin.role('Auditor'),
  ]);
  const { userId: id } = await desk.session();
  await admin.done('access.users.changeRoles', { id, add: [viewerRole], remove: [] });
  expect(await statusOf(downloadUrl)).toBe(200);
  await admin.done('access.users.changeRoles', { id, add: [], remove: [auditorRole] });
  expect(await statusOf(downloadUrl)).toBe(403);
  expect(await statusOf(downloadUrl.replace(/rights=[^&]*&/, ''))).toBe(404);
});
