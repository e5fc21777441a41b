import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import { PortalError } from '@deviceportal/contract/errors';
import { createDevices } from '../../src/devices/enrollment/create-devices.ts';
import { createPersonLinks } from '../../src/platform/person-links.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import { changeSoftwareState } from '../../src/versions/change-software-state.ts';
import { createSoftwareUpload } from '../../src/versions/software-files/create-software-upload.ts';
import { deleteOrphanedSoftware } from '../../src/versions/software-files/delete-orphaned-software.ts';
import { listSoftware } from '../../src/versions/list-software.ts';
import { registerSoftware } from '../../src/versions/register-software.ts';
import {
  signSoftwareDownload,
  signSoftwareUpload,
} from '../../src/versions/software-files/sign-software-url.ts';
import { addSoftwareRoutes } from '../../src/versions/software-files/software-routes.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import type { FileStore } from '../../src/platform/files/file-store.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

const LIMIT = 200_000;
let db: TestDatabase;
let app: FastifyInstance;
let directory = '';
let store: FileStore;
let deviceId = '';
let now = new Date('2026-11-20T12:00:00Z');
const clock = () => now;
const signer = createUrlSigner(Buffer.alloc(32, 7), clock);
const links = createPersonLinks({
  signer,
  isHolderIn: async () => true,
  findSigner: () => Promise.reject(new PortalError('notFound')),
});
const content = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 251));

beforeAll(async () => {
  db = await createTestDatabase();
  const { database } = db;
  const device = { serialNumber: 'SOFT1', name: 'one', model: null, country: null, labels: {} };
  const created = await createDevices(
    { database },
    { people: [], devices: [{ ...device, lifecycle: 'active' }] },
  );
  deviceId = created.get('SOFT1') ?? '';
  directory = await mkdtemp(join(tmpdir(), 'software-'));
  app = fastify({ bodyLimit: 64 });
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof PortalError ? error.httpStatus : 500).send(String(error)),
  );
  store = createDirectoryFiles(directory, 'spread');
  addSoftwareRoutes(app, { database: db.database, clock, signer, links, files: store });
});
afterAll(async () => {
  await app.close();
  await db[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const register = (version: string) =>
  registerSoftware({ database: db.database, clock }, callerOf(administrator), {
    component: 'firmware',
    version,
    models: [],
    channel: 'stable',
    releasedAt: null,
    notes: '',
  });

const uploadOf = (version: string, bytes = content.length) =>
  createSoftwareUpload(
    {
      database: db.database,
      clock,
      softwareArtifactLimitBytes: LIMIT,
      signSoftwareUpload: (upload, holder) => signSoftwareUpload(links, upload, holder),
    },
    administrator,
    { component: 'firmware', version, name: 'image.bin', bytes },
  );

const put = (url: string, payload: Buffer) =>
  app.inject({
    method: 'PUT',
    url,
    payload,
    headers: { 'content-type': 'application/octet-stream' },
  });

const artifactOf = async (version: string) => {
  const rows = await listSoftware({ database: db.database }, administrator, 'firmware');
  return rows.find((row) => row.version === version)?.artifact;
};

async function keyOf(version: string): Promise<string> {
  const { rows } = await db.database.pool.query<{ key: string }>(
    'select artifact_key as key from software_version where version = $1',
    [version],
  );
  return rows[0]?.key ?? '';
}

const deviceLink = async (version: string) =>
  signSoftwareDownload(signer, {
    storageKey: await keyOf(version),
    name: 'image.bin',
    deviceId,
    validSeconds: 600,
  });

test('stores an uploaded file with its hash, and a device downloads it unchanged', async () => {
  await register('1.0.0');
  const { url } = await uploadOf('1.0.0');
  expect((await put(url, content)).statusCode).toBe(201);
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect(await artifactOf('1.0.0')).toEqual({ name: 'image.bin', bytes: content.length, sha256 });
  const answer = await app.inject({ url: await deviceLink('1.0.0') });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers.etag).toBe(`"${sha256}"`);
  expect(answer.rawPayload.equals(content)).toBe(true);
});

test('resumes a download at its offset, and starts over when the file has changed', async () => {
  const url = await deviceLink('1.0.0');
  const first = await app.inject({ url, headers: { range: 'bytes=0-59999' } });
  expect(first.statusCode).toBe(206);
  const rest = await app.inject({
    url,
    headers: { range: 'bytes=60000-', 'if-range': String(first.headers.etag) },
  });
  expect(rest.headers['content-range']).toBe('bytes 60000-99999/100000');
  expect(Buffer.concat([first.rawPayload, rest.rawPayload]).equals(content)).toBe(true);
  const other = await app.inject({
    url,
    headers: { range: 'bytes=60000-', 'if-range': '"another"' },
  });
  expect(other.statusCode).toBe(200);
  const beyond = await app.inject({ url, headers: { range: 'bytes=100000-' } });
  expect(beyond.statusCode).toBe(416);
});

test('[software-files-3] rejects a file beyond the limit before it is sent, and keeps nothing when it is sent anyway', async () => {
  await register('2.0.0');
  await expect(uploadOf('2.0.0', LIMIT + 1)).rejects.toMatchObject({
    errorName: 'invalidParameters',
  });
  const { url } = await uploadOf('2.0.0');
  expect((await put(url, Buffer.alloc(content.length + 1))).statusCode).toBe(400);
  expect(await artifactOf('2.0.0')).toBeNull();
  expect((await app.inject({ url })).json()).toMatchObject({ bytes: 0, sha256: null });
});

test('keeps the file of an approved version, and serves none of a blocked one', async () => {
  const deps = { database: db.database, clock };
  const change = (state: 'approved' | 'blocked') =>
    changeSoftwareState(deps, callerOf(administrator), {
      component: 'firmware',
      version: '1.0.0',
      state,
      reason: '',
    });
  const { url } = await uploadOf('1.0.0', 10);
  await change('approved');
  await expect(uploadOf('1.0.0')).rejects.toMatchObject({ errorName: 'invalidParameters' });
  expect((await put(url, Buffer.alloc(10))).statusCode).toBe(400);
  const link = await deviceLink('1.0.0');
  expect((await app.inject({ url: link })).statusCode).toBe(200);
  await change('blocked');
  expect((await app.inject({ url: link })).statusCode).toBe(404);
});

test('resumes an interrupted upload part by part, and detects when it is complete', async () => {
  await register('5.0.0');
  const { url } = await uploadOf('5.0.0');
  const piece = (start: number, end: number) =>
    app.inject({
      method: 'PUT',
      url,
      payload: content.subarray(start, end + 1),
      headers: {
        'content-type': 'application/octet-stream',
        'content-range': `bytes ${start}-${end}/${content.length}`,
      },
    });
  const first = await piece(0, 59_999);
  expect([first.statusCode, first.json()]).toEqual([202, { bytes: 60_000, sha256: null }]);
  expect((await app.inject({ url })).json()).toEqual({ bytes: 60_000, sha256: null });
  // A part must follow the previous one without a gap, and have the declared total size.
  expect((await piece(70_000, 99_999)).statusCode).toBe(400);
  const other = { 'content-range': 'bytes 0-9/10', 'content-type': 'application/octet-stream' };
  const wrong = await app.inject({ method: 'PUT', url, payload: content, headers: other });
  expect(wrong.statusCode).toBe(400);
  // Received bytes may be sent again.
  const last = await piece(50_000, 99_999);
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect([last.statusCode, last.json()]).toEqual([201, { bytes: content.length, sha256 }]);
  expect((await piece(50_000, 99_999)).statusCode).toBe(201);
  expect(await artifactOf('5.0.0')).toMatchObject({ bytes: content.length, sha256 });
});

test('deletes files of unfinished uploads and keeps those of versions', async () => {
  await register('6.0.0');
  const { url } = await uploadOf('6.0.0');
  const headers = {
    'content-range': `bytes 0-9/${content.length}`,
    'content-type': 'application/octet-stream',
  };
  await app.inject({ method: 'PUT', url, payload: content.subarray(0, 10), headers });
  const files = async () =>
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const parts = (await files()).filter((name) => name.endsWith('.part'));
  expect(parts.length).toBeGreaterThan(0);
  const later = new Date(Date.now() + 3_600_000);
  const gone = await deleteOrphanedSoftware({ database: db.database }, store, later);
  expect(gone).toBeGreaterThanOrEqual(parts.length);
  expect(await files()).toContain(await keyOf('5.0.0'));
  expect((await files()).some((name) => name.endsWith('.part'))).toBe(false);
});

test('serves a link only to its device, and only while the device is active', async () => {
  await register('4.0.0');
  await put((await uploadOf('4.0.0')).url, content);
  const link = await deviceLink('4.0.0');
  expect((await app.inject({ url: link })).statusCode).toBe(200);
  expect((await app.inject({ url: link.replace(deviceId, newId()) })).statusCode).toBe(404);
  const set = (lifecycle: string) =>
    db.database.pool.query('update device set lifecycle = $1 where id = $2', [lifecycle, deviceId]);
  await set('suspended');
  expect((await app.inject({ url: link })).statusCode).toBe(404);
  await set('active');
});

test('expires links, and rejects links changed to another file', async () => {
  await register('3.0.0');
  const { url } = await uploadOf('3.0.0');
  expect((await put(url.replace('3.0.0', '2.0.0'), content)).statusCode).toBe(404);
  const download = await deviceLink('5.0.0');
  expect((await app.inject({ url: download })).statusCode).toBe(200);
  now = new Date('2026-11-20T14:00:00Z');
  expect((await app.inject({ url: download })).statusCode).toBe(403);
  expect((await put(url, content)).statusCode).toBe(403);
  expect(await artifactOf('3.0.0')).toBeNull();
});
