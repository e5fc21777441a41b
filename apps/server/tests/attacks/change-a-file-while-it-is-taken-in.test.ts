import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { createPersonLinks } from '../../src/platform/person-links.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import {
  createSoftwareUpload,
  type UploadDeps,
} from '../../src/versions/software-files/create-software-upload.ts';
import { registerSoftware } from '../../src/versions/register-software.ts';
import { signSoftwareUpload } from '../../src/versions/software-files/sign-software-url.ts';
import { addSoftwareRoutes } from '../../src/versions/software-files/software-routes.ts';
import { administrator, callerOf } from '../devices/viewer-with.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

const BYTES = 20_000;
const clock = () => new Date();
const signer = createUrlSigner(Buffer.alloc(32, 7), clock);
const links = createPersonLinks({
  signer,
  isHolderIn: async () => true,
  findSigner: () => Promise.reject(new PortalError('notFound')),
});
const version = { component: 'firmware', version: '1.0.0' };

let db: TestDatabase;
let app: FastifyInstance;
let directory: string;
/** Called just before a complete upload is verified. */
let whileTakenIn: () => Promise<void> = async () => {};

beforeAll(async () => {
  db = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'software-'));
  app = fastify();
  const files = createDirectoryFiles(directory, 'spread');
  addSoftwareRoutes(app, {
    ...{ database: db.database, clock, signer, links },
    files: {
      ...files,
      beginUpload(key, bytes) {
        const upload = files.beginUpload(key, bytes);
        return {
          storedBytes: () => upload.storedBytes(),
          putPart: (start, content) => upload.putPart(start, content),
          abort: () => upload.abort(),
          async finish() {
            await whileTakenIn();
            return upload.finish();
          },
        };
      },
    },
  });
});
afterAll(async () => {
  await app.close();
  await db[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const put = (url: string, payload: Buffer | Readable) =>
  app.inject({
    ...{ method: 'PUT', url, payload },
    headers: { 'content-type': 'application/octet-stream' },
  });

test('a file cannot be changed by another part while its hash is verified', async () => {
  const deps = { database: db.database, clock, softwareArtifactLimitBytes: BYTES };
  await registerSoftware(deps, callerOf(administrator), {
    ...{ ...version, models: [], channel: 'stable', releasedAt: null, notes: '' },
  });
  const signing: Pick<UploadDeps, 'signSoftwareUpload'> = {
    signSoftwareUpload: (upload, holder) => signSoftwareUpload(links, upload, holder),
  };
  const { url } = await createSoftwareUpload({ ...deps, ...signing }, administrator, {
    ...{ ...version, name: 'image.bin', bytes: BYTES },
  });
  const goOn = Promise.withResolvers<void>();
  let second: Promise<unknown> | undefined;
  whileTakenIn = async () => {
    if (second !== undefined) return;
    const slow = Readable.from(
      (async function* () {
        yield Buffer.alloc(BYTES / 2, 'b');
        await goOn.promise;
        yield Buffer.alloc(BYTES / 2, 'b');
      })(),
    );
    second = put(url, slow).then(() => {});
    await sleep(300);
  };
  await put(url, Buffer.alloc(BYTES, 'a'));
  goOn.resolve();
  await second;
  const { rows } = await db.database.pool.query<{ key: string; sha256: string }>(
    'select artifact_key as key, artifact_sha256 as sha256 from software_version',
  );
  const [{ key, sha256 } = { key: '', sha256: '' }] = rows;
  const stored = await createDirectoryFiles(directory, 'spread').open(key);
  const content = stored === undefined ? Buffer.alloc(0) : await buffer(stored.content);
  expect(content.length).toBe(BYTES);
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
});
