import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { addArtifactRoutes } from '../../src/commands/artifacts/artifact-routes.ts';
import { createArtifactStore } from '../../src/commands/artifacts/artifact-store.ts';
import { getInvocation } from '../../src/commands/invocations/get-invocation.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import {
  signArtifactDownload,
  signArtifactUpload,
} from '../../src/commands/artifacts/sign-artifact-url.ts';
import { createPersonLinks } from '../../src/platform/person-links.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

let test: TestDatabase;
let fixture: CommandFixture;
let app: FastifyInstance;
let directory = '';
let invocationId = '';
let now = new Date('2026-11-20T12:00:00Z');
const signer = createUrlSigner(Buffer.alloc(32, 7), () => now);
const links = createPersonLinks({
  signer,
  isHolderIn: async () => true,
  findSigner: () => Promise.reject(new PortalError('notFound')),
});
const operator = viewerWith('Operator');

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  directory = await mkdtemp(join(tmpdir(), 'artifacts-'));
  app = fastify({ bodyLimit: 64 });
  app.setErrorHandler((error, _request, reply) =>
    reply
      .code(error instanceof PortalError ? error.httpStatus : 500)
      .send({ message: String(error) }),
  );
  addArtifactRoutes(app, {
    database: test.database,
    signer,
    links,
    seesInvocation: async () => false,
    store: createArtifactStore(createDirectoryFiles(directory, 'spread'), 1_000),
  });
  const [deviceId = ''] = await seedDevices(test.database, [{}]);
  const run = await runCommand(
    fixture.deps,
    operator,
    runInput({ command: 'logs/collect', target: { kind: 'devices', deviceIds: [deviceId] } }),
  );
  invocationId = run.invocationId ?? '';
});
afterAll(async () => {
  await app.close();
  await test[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const uploadUrl = (id = invocationId) =>
  signArtifactUpload(signer, { baseUrl: '', invocationId: id, validSeconds: 600 });
const put = (url: string, content: Buffer | string) =>
  app.inject({
    method: 'PUT',
    url,
    payload: content,
    headers: { 'content-type': 'application/octet-stream' },
  });

it('[artifact-1] an uploaded file can be downloaded byte for byte, as an attachment', async () => {
  const content = Buffer.from(Array.from({ length: 900 }, (_, index) => index % 256));
  const answer = await put(`${uploadUrl()}&name=${encodeURIComponent('日志 "1".gz')}`, content);
  expect(answer.statusCode).toBe(201);
  const { artifacts } = await getInvocation(
    { ...fixture.deps, signArtifactUrl: (id, holder) => signArtifactDownload(links, id, holder) },
    operator,
    { id: invocationId, stdoutFrom: 0, stderrFrom: 0 },
  );
  expect(artifacts).toMatchObject([
    { bytes: 900, sha256: createHash('sha256').update(content).digest('hex') },
  ]);
  const file = await app.inject(artifacts[0]?.downloadUrl ?? '');
  expect(file.rawPayload.equals(content)).toBe(true);
  expect(file.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'content-type': 'application/octet-stream',
  });
  expect(file.headers['content-disposition']).toMatch(
    /^attachment; filename="__ _1_.gz"; filename\*=UTF-8''%E6%97/,
  );
});

it('[artifact-2] a file name is not a path', async () => {
  for (const name of ['../passwd', 'a/b', '.hidden', '', 'a\nb', `${'x'.repeat(300)}`]) {
    const { statusCode } = await put(`${uploadUrl()}&name=${encodeURIComponent(name)}`, 'x');
    expect({ name, statusCode }).toEqual({ name, statusCode: 400 });
  }
});

it('[artifact-3] a link is valid for its own subject, purpose, and time only', async () => {
  expect(
    (await put(`${uploadUrl().replace(invocationId, randomUUID())}&name=a`, 'x')).statusCode,
  ).toBe(404);
  const signature = uploadUrl().split('?')[1];
  expect((await app.inject(`/artefacts/${invocationId}?${signature}`)).statusCode).toBe(404);
  const url = uploadUrl();
  now = new Date(now.getTime() + 601_000);
  expect((await put(`${url}&name=a`, 'x')).statusCode).toBe(403);
  expect(() => signer.sign('artefact-upload', 'x', 604_801)).toThrow(RangeError);
});

it('a file above the limit is rejected and not stored', async () => {
  expect((await put(`${uploadUrl()}&name=big`, Buffer.alloc(1_001))).statusCode).toBe(400);
  const { artifacts } = await getInvocation(fixture.deps, operator, {
    id: invocationId,
    stdoutFrom: 0,
    stderrFrom: 0,
  });
  expect(artifacts.map(({ name }) => name)).not.toContain('big');
});
