import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileTransfer } from '@deviceportal/contract/device-files';
import { everywhere } from '@deviceportal/contract/permissions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiTokenClient } from '../api-tokens/api-token-client.ts';
import { AccessFixture } from '../support/access-fixture.ts';
import { startTestServer } from '../support/start-test-server.ts';
import { until } from '../support/until.ts';
import { startFileDevice, type FileDevice } from './file-device.ts';

const resources = new AsyncDisposableStack();
const permissions = ['devices:read', 'files:read'];
const reason = 'test of the API';
let url: string;
let admin: AccessFixture;
let user: AccessFixture;
let device: FileDevice;
let client: ApiTokenClient;

beforeAll(async () => {
  const portal = resources.use(await startTestServer());
  ({ url } = portal);
  admin = await AccessFixture.open(portal, 'admin');
  await admin.createRole('File readers', permissions, everywhere);
  await admin.createRole('File users', [...permissions, 'files:write', 'api-tokens:create']);
  await admin.invite('files@example.com', 'File users');
  user = await AccessFixture.open(portal, 'files@example.com');
  device = resources.use(await startFileDevice(portal, admin, { country: 'DE' }));
  client = await ApiTokenClient.personal(url, user, { permissions });
}, 180_000);
afterAll(() => resources.disposeAsync());

const listed = (by: ApiTokenClient, query: Readonly<Record<string, string>>) => {
  const search = new URLSearchParams({ path: device.folder, reason, ...query }).toString();
  return by.get<{ items: { name: string; bytes: number }[]; total: number }>(
    `/devices/${device.serialNumber}/files?${search}`,
  );
};
const download = (by: ApiTokenClient, path: string) =>
  by.post<{ id: string }>(`/devices/${device.serialNumber}/files/downloads`, { path, reason });
const ended = (by: ApiTokenClient, id: string): Promise<FileTransfer> =>
  until(async () => {
    const { body } = await by.get<FileTransfer>(`/file-transfers/${id}`);
    return (body.state === 'done' || body.state === 'failed') && body;
  }, 30_000);

test('a folder is listed, sorted, and in pages', async () => {
  await writeFile(join(device.folder, 'a.log'), 'abc');
  await writeFile(join(device.folder, 'b.log'), '');
  const { status, body } = await listed(client, { sort: 'bytes', descending: 'true' });
  expect(status).toBe(200);
  expect(body.items.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['a.log', 3],
    ['b.log', 0],
  ]);
  expect((await listed(client, { offset: '1' })).body).toMatchObject({
    ...{ offset: 1, total: 2, complete: true, writable: false },
    items: [{ name: 'b.log', exact: true, kind: 'file' }],
  });
  expect((await listed(client, { path: '' })).body.items.map(({ name }) => name)).toContain(
    device.folder,
  );
});

test('a file is downloaded by a link of the token, and recorded with it', async () => {
  // More than one piece.
  const content = randomBytes(9_000_000);
  await writeFile(join(device.folder, 'content'), content);
  const { status, body } = await download(client, join(device.folder, 'content'));
  expect(status).toBe(201);
  const transfer = await ended(client, body.id);
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(transfer).toMatchObject({ state: 'done', bytes: content.length, sha256, failure: null });
  const response = await fetch(`${url}${transfer.url}`);
  const received = Buffer.from(await response.arrayBuffer());
  expect(createHash('sha256').update(received).digest('hex')).toBe(sha256);
  const [event] = await admin.trail('file.read');
  expect(event).toMatchObject({
    actor: { kind: 'user' },
    data: { path: transfer.path, purpose: reason, sha256, apiTokenId: client.id },
  });
});

test('a link ends with its token, and belongs to no other', async () => {
  await writeFile(join(device.folder, 'linked'), 'content');
  const own = await ApiTokenClient.personal(url, user, { permissions });
  const { body } = await download(own, join(device.folder, 'linked'));
  const { url: link = '' } = await ended(own, body.id);
  expect((await fetch(`${url}${link}`)).status).toBe(200);
  expect((await fetch(`${url}${link?.replace(own.id, client.id)}`)).status).toBe(404);
  expect(await client.get(`/file-transfers/${body.id}`)).toMatchObject({ status: 404 });
  expect(await client.post(`/file-transfers/${body.id}/cancel`)).toMatchObject({ status: 404 });
  await user.done('apiTokens.revoke', { id: own.id });
  expect((await fetch(`${url}${link}`)).status).toBe(403);
});

test('the transfers of a user in the portal are not those of their token', async () => {
  await writeFile(join(device.folder, 'private'), 'content');
  const { id } = await user.done<{ id: string }>('deviceFiles.read', {
    ...{ deviceId: device.serialNumber, path: join(device.folder, 'private') },
    ...{ reason, part: 'whole' },
  });
  expect(await client.get(`/file-transfers/${id}`)).toMatchObject({ status: 404 });
});

test('what the device refuses has its reason', async () => {
  expect(await listed(client, { path: '/etc' })).toMatchObject({
    ...{ status: 400, error: { reason: 'files-refused', facts: { failure: 'outside' } } },
  });
  const { body } = await download(client, '/etc/passwd');
  expect(await ended(client, body.id)).toMatchObject({
    ...{ state: 'failed', failure: 'outside', url: null },
  });
  expect(await listed(client, { reason: '' })).toMatchObject({
    status: 400,
    error: { code: 2004 },
  });
});

test('a service reads files with a role, and is recorded as an application', async () => {
  await writeFile(join(device.folder, 'by-service'), 'content');
  const service = await ApiTokenClient.service(url, admin, { roles: ['File readers'] });
  const { body } = await download(service, join(device.folder, 'by-service'));
  const transfer = await ended(service, body.id);
  expect(await (await fetch(`${url}${transfer.url}`)).text()).toBe('content');
  expect((await admin.trail('file.read'))[0]).toMatchObject({
    actor: { kind: 'system', name: 'service-token:a service' },
    data: { path: transfer.path },
  });
});

test('a token without the permission, or of other devices, reads nothing', async () => {
  const without = await ApiTokenClient.personal(url, user, { permissions: ['devices:read'] });
  const elsewhere = await ApiTokenClient.personal(url, user, {
    ...{ permissions, scope: { countries: ['FR'] } },
  });
  for (const [by, expected] of [
    [without, { status: 403, error: { code: 1000 } }],
    [elsewhere, { status: 404, error: { code: 6000 } }],
  ] as const) {
    expect(await listed(by, {})).toMatchObject(expected);
    expect(await download(by, join(device.folder, 'a.log'))).toMatchObject(expected);
  }
});

test('no token writes files', async () => {
  await expect(
    ApiTokenClient.personal(url, user, { permissions: [...permissions, 'files:write'] }),
  ).rejects.toThrow('is not available to API tokens');
});
