import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { addArtifactRoutes } from '../../src/commands/artifacts/artifact-routes.ts';
import { createArtifactStore } from '../../src/commands/artifacts/artifact-store.ts';
import { applyInvocationEntries } from '../../src/commands/execution/apply-invocation-entries.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import {
  signArtifactDownload,
  signArtifactUpload,
} from '../../src/commands/artifacts/sign-artifact-url.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { createPersonLinks } from '../../src/platform/person-links.ts';
import { createUrlSigner } from '../../src/platform/files/url-signer.ts';
import {
  createCommandFixture,
  runInput,
  seedDevices,
  viewerWith,
  type CommandFixture,
} from '../support/command-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { createDirectoryFiles } from '../../src/platform/files/directory-files.ts';

const signer = createUrlSigner(Buffer.alloc(32, 7), () => new Date());
const links = createPersonLinks({
  signer,
  isHolderIn: async () => true,
  findSigner: () => Promise.reject(new PortalError('notFound')),
});
let test: TestDatabase;
let fixture: CommandFixture;
let app: FastifyInstance;
let directory = '';
let deviceId = '';
let invocationId = '';

beforeAll(async () => {
  test = await createTestDatabase();
  fixture = await createCommandFixture(test.database);
  directory = await mkdtemp(join(tmpdir(), 'artifacts-'));
  app = fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply
      .code(error instanceof PortalError ? error.httpStatus : 500)
      .send({ message: String(error) }),
  );
  const store = createArtifactStore(createDirectoryFiles(directory, 'spread'), 1_000);
  addArtifactRoutes(app, {
    database: test.database,
    signer,
    links,
    seesInvocation: async () => true,
    store,
  });
});
beforeEach(async () => {
  [deviceId = ''] = await seedDevices(test.database, [{}]);
  const run = await runCommand(
    fixture.deps,
    viewerWith('Operator'),
    runInput({ command: 'logs/collect', target: { kind: 'devices', deviceIds: [deviceId] } }),
  );
  invocationId = run.invocationId ?? '';
});
afterAll(async () => {
  await app.close();
  await test[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

const put = (content: string, name = 'logs.gz') =>
  app.inject({
    method: 'PUT',
    url: `${signArtifactUpload(signer, { baseUrl: '', invocationId, validSeconds: 600 })}&name=${name}`,
    payload: content,
    headers: { 'content-type': 'application/octet-stream' },
  });

async function stored(): Promise<{ id: string; sha256: string }[]> {
  const { rows } = await test.database.orm.execute(sql`
    select id, sha256 from invocation_artifact where invocation_id = ${invocationId} order by name`);
  return rows as { id: string; sha256: string }[];
}

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');

/** What the device's journal reports about a file. */
const report = (sha256: string) =>
  inTransaction(test.database, (tx) =>
    applyInvocationEntries(
      tx,
      [
        {
          deviceId,
          deviceName: 'x',
          entry: {
            seq: 1,
            at: new Date().toISOString(),
            kind: 'invocation-artefact',
            invocationId,
            name: 'logs.gz',
            bytes: 3,
            sha256,
          },
        },
      ],
      new Date(),
    ),
  );

it('a device cannot replace a collected file; the same content again is the same file', async () => {
  const first = await put('one');
  expect(first.statusCode).toBe(201);
  const again = await put('one');
  expect([again.statusCode, again.json()]).toEqual([201, first.json()]);
  expect((await put('two')).statusCode).toBe(400);
  expect(await stored()).toMatchObject([{ sha256: digestOf('one') }]);
});

it('a device cannot upload or replace files after its invocation has ended', async () => {
  await put('one');
  await test.database.orm.execute(
    sql`update invocation set state = 'Success', ended_at = now() where id = ${invocationId}`,
  );
  expect((await put('two')).statusCode).toBe(400);
  expect((await put('more', 'later.txt')).statusCode).toBe(400);
  expect(await stored()).toHaveLength(1);
});

it('a suspended device cannot upload files', async () => {
  await test.database.orm.execute(
    sql`update device set lifecycle = 'suspended' where id = ${deviceId}`,
  );
  expect((await put('one')).statusCode).toBe(403);
  expect(await stored()).toEqual([]);
});

it('a file other than the one the device reported is not accepted', async () => {
  await put('one');
  const { audit } = await report(digestOf('two'));
  expect(audit).toMatchObject([
    { data: { sha256: digestOf('two'), storedSha256: digestOf('one') } },
  ]);
  await report(digestOf('one'));
  const [file] = await stored();
  const link = signArtifactDownload(links, file?.id ?? '', {
    userId: newId(),
    signInId: undefined,
    accessGrantIds: [],
    rights: [],
  });
  expect((await app.inject(link)).statusCode).toBe(403);
});

it('concurrent uploads cannot exceed the limit of files, and rejected ones leave nothing on the disk', async () => {
  await test.database.orm.execute(sql`
    insert into invocation_artifact (id, invocation_id, name, bytes, sha256, storage_key)
    select gen_random_uuid(), ${invocationId}, 'f' || n, 1, '', '' from generate_series(1, 95) n`);
  const count = async (): Promise<number> =>
    (await readdir(directory, { recursive: true })).filter((name) => name.includes('/')).length;
  const before = await count();
  const codes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => (await put('x', `g${index}`)).statusCode),
  );
  expect(codes.filter((code) => code === 201)).toHaveLength(5);
  expect(await stored()).toHaveLength(100);
  expect((await count()) - before).toBe(5);
});
