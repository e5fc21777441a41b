import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ArchivedAuditPage, AuditExport } from '@deviceportal/contract/audit-trail';
import { newId } from '@deviceportal/contract/ids';
import type { ReportRow } from '@deviceportal/contract/reports';
import type { SoftwareUploadLink, SoftwareUploadState } from '@deviceportal/contract/versions';
import { lacks } from '../../../../packages/aws/tests/parts/parts.ts';
import type { RunningPart } from '../../../../packages/aws/tests/parts/start-part.ts';
import { startVersitygw } from '../../../../packages/aws/tests/parts/start-versitygw.ts';
import { ensureAuditMonths } from '../../src/audit-trail/data/archive/ensure-audit-months.ts';
import { UPLOAD_PART_BYTES } from '../../src/platform/files/file-store.ts';
import { JOBS_SCHEMA } from '../../src/platform/jobs/jobs-schema.ts';
import { AcceptanceFixture } from '../acceptance/acceptance-fixture.ts';
import { setAuditClock } from '../support/audit/audit-signer.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';
import { rowsOf, until } from '../support/gateway-fixture.ts';
import { PortalPerson } from '../support/portal-person.ts';
import { PortalPrograms } from '../support/programs/portal-programs.ts';
import { programEnv } from '../support/programs/program-env.ts';

const LIMIT_MS = 120_000;
const OLD_EVENTS = 20;
const WITHOUT_WORKER = 'web,gateway,identity';
/** The month of this moment is due to be archived. */
const LONG_AGO = new Date(Date.now() - 150 * 86_400_000);
const commands = join(import.meta.dirname, '../../src/cli');
const verifyCommand = join(commands, 'verify-audit-command.ts');
const adminCommand = join(commands, 'admin-command.ts');
const resources = new AsyncDisposableStack();
let database: TestDatabase;
let store: RunningPart;
let servers: readonly [PortalPrograms, PortalPrograms];
/** The administrator on each server. */
let people: readonly [PortalPerson, PortalPerson];
let made: AuditExport;

/** Two servers of one database with data folders of their own, and files in S3. */
describe.skipIf(lacks('versitygw'))('two servers with two data folders', () => {
  beforeAll(async () => {
    database = resources.use(await createTestDatabase());
    store = resources.use(await startVersitygw('files'));
    await recordLongAgo();
    const [first, second] = [await PortalPrograms.prepare(), await PortalPrograms.prepare()];
    servers = [resources.use(first), resources.use(second)];
    await start(0, WITHOUT_WORKER);
    await cp(join(first.dataDir, 'keys'), join(second.dataDir, 'keys'), { recursive: true });
    await start(1, 'web,worker,identity');
    people = [await PortalPerson.signIn(first.url), await PortalPerson.signIn(second.url)];
  }, LIMIT_MS);
  afterAll(() => resources.disposeAsync(), LIMIT_MS);

  test(
    '[two-data-folders-1] the parts of an upload reach both servers in turn, and make one file',
    async () => {
      const content = randomBytes(3 * UPLOAD_PART_BYTES + 1_000);
      const named = { component: 'signage', version: '1.2.3' };
      await people[0].mustOrder('versions.register', named);
      const asked = { ...named, name: 'signage.bin', bytes: content.length };
      const link = await people[0].mustOrder<SoftwareUploadLink>('versions.createUpload', asked);
      let state: SoftwareUploadState = { bytes: 0, sha256: null };
      for (let part = 0; state.sha256 === null; part += 1) {
        const { url } = servers[part % 2 === 0 ? 0 : 1];
        const piece = content.subarray(state.bytes, state.bytes + UPLOAD_PART_BYTES);
        const range = `bytes ${state.bytes}-${state.bytes + piece.length - 1}/${content.length}`;
        const sent = await fetch(new URL(link.url, url), {
          ...{ method: 'PUT', body: new Uint8Array(piece) },
          headers: { 'content-range': range },
        });
        expect(sent.ok).toBe(true);
        state = (await sent.json()) as SoftwareUploadState;
      }
      expect(state).toEqual({ bytes: content.length, sha256: sha256(content) });
    },
    LIMIT_MS,
  );

  test(
    '[two-data-folders-2] an export, its manifest, and its proof open at the other server',
    async () => {
      made = await people[0].mustOrder<AuditExport>('auditTrail.export', { format: 'json' });
      expect(sha256(await download(1, made.downloadUrl))).toBe(made.sha256);
      expect((await download(1, made.manifestUrl)).toString()).toContain(made.sha256);
      expect((await download(1, made.proofUrl)).length).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  test(
    '[two-data-folders-3] a report that the worker wrote opens at the other server',
    async () => {
      const personId = randomUUID();
      await rowsOf(
        database.database,
        `insert into person (id, username, name, email, phone, country)
         values ($1, 'mei', 'Mei', 'mei@corp.example', '+48123456789', 'PL')`,
        [personId],
      );
      const { reportId: id } = await people[0].mustOrder<{ reportId: string }>('reports.request', {
        personId,
      });
      const ended = await until(async () => {
        const report = await people[0].mustAsk<ReportRow>('reports.get', { id });
        return report.endedAt !== null && report;
      }, 60_000);
      expect(ended.failure).toBeNull();
      for (const format of ['pdf', 'json'] as const) {
        const { downloadUrl } = await people[0].mustOrder<{ downloadUrl: string }>(
          'reports.linkFile',
          { id, format },
        );
        const content = await download(0, downloadUrl);
        expect(content.toString('latin1')).toMatch(format === 'pdf' ? /^%PDF/ : /Mei/);
      }
    },
    LIMIT_MS,
  );

  test(
    '[two-data-folders-4] files that a device sent to one server open at the other',
    async () => {
      const agent = servers[0].startAgent('one', await people[0].createClaim('one'));
      const deviceId = await people[0].untilOnline(agent);
      const { artifacts, state } = await new AcceptanceFixture(people[0]).run({
        ...{ deviceId, command: 'logs/collect', parameters: { hours: 1 } },
      });
      expect(state).toBe('Success');
      const [file] = artifacts;
      expect(sha256(await download(1, file?.downloadUrl ?? ''))).toBe(file?.sha256);
    },
    LIMIT_MS,
  );

  test(
    '[two-data-folders-5] when the worker is killed while it archives, another one does it again, and both servers read and verify the month',
    async () => {
      await killWhileArchiving();
      expect(await rowsOf(database.database, 'select 1 from audit_cold_file')).toEqual([]);
      await servers[0].server.end('SIGTERM');
      await start(0, 'web,gateway,worker,identity');
      await sendArchiveJob();
      await until(
        async () => (await rowsOf(database.database, 'select 1 from audit_cold_file')).length > 0,
        60_000,
      );
      await start(1, 'web,identity');
      for (const [index, { url, dataDir }] of servers.entries()) {
        const person = await PortalPerson.signIn(url);
        const filter = { types: ['device-event.long-ago'] };
        const page = await person.mustAsk<ArchivedAuditPage>('auditTrail.listArchived', { filter });
        expect([index, page.gaps, page.rows.length]).toEqual([index, [], OLD_EVENTS]);
        expect(await run(verifyCommand, ['--data-dir', dataDir])).toMatchObject({
          code: 0,
          output: expect.stringContaining(`${OLD_EVENTS} in files of archived months`),
        });
      }
    },
    LIMIT_MS,
  );

  test(
    '[two-data-folders-6] files that are copied to a data folder open there, and the bucket is then refused',
    async () => {
      for (const { server } of servers) await server.end('SIGTERM');
      // As 45 seconds after the worker was killed.
      await rowsOf(
        database.database,
        "update installation_server set seen_at = seen_at - interval '1 minute'",
      );
      const { dataDir } = servers[0];
      const copied = await run(adminCommand, [
        ...['copy-files', 's3://files/portal', 'directory', '--data-dir', dataDir],
      ]);
      expect(copied).toMatchObject({
        code: 0,
        output: expect.stringContaining('This database now uses directory.'),
      });
      await expect(start(1, 'web,identity')).rejects.toThrow(
        /files of this database are in \S+ on/,
      );
      await servers[0].startServer({ DEVICEPORTAL_DATABASE_URL: database.url });
      expect(sha256(await download(0, made.downloadUrl))).toBe(made.sha256);
    },
    LIMIT_MS,
  );
});

const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

const settings = () => ({
  DEVICEPORTAL_DATABASE_URL: database.url,
  DEVICEPORTAL_FILES: 's3://files/portal',
  DEVICEPORTAL_FILES_ENDPOINT: store.endpoint,
  AWS_ACCESS_KEY_ID: store.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: store.credentials.secretAccessKey,
});

const start = (index: 0 | 1, roles: string): Promise<void> =>
  servers[index].startServer({ ...settings(), DEVICEPORTAL_ROLES: roles });

async function download(index: 0 | 1, url: string): Promise<Buffer> {
  const reply = await fetch(new URL(url, servers[index].url));
  expect([url, reply.status]).toEqual([url, 200]);
  return Buffer.from(await reply.arrayBuffer());
}

/** Events of a month that has long ended. */
async function recordLongAgo(): Promise<void> {
  await setAuditClock(database, LONG_AGO);
  const ids = Array.from({ length: OLD_EVENTS }, () => newId(LONG_AGO.getTime()));
  await rowsOf(
    database.database,
    `insert into audit_event (id, type, actor_kind, actor_name, data)
     select id, 'device-event.long-ago', 'system', 'test', '{}' from unnest($1::uuid[]) as id`,
    [ids],
  );
  await setAuditClock(database, null);
  await ensureAuditMonths(database.database.orm, new Date());
}

async function sendArchiveJob(): Promise<void> {
  const boss = new PgBoss({
    ...{ connectionString: database.url, schema: JOBS_SCHEMA },
    ...{ migrate: false, schedule: false, supervise: false },
  });
  await boss.start();
  await boss.send('audit-trail-archive-months', {}, { singletonKey: randomUUID() });
  await boss.stop();
}

/** Kills the worker when its file is stored, and before the month leaves the database. */
async function killWhileArchiving(): Promise<void> {
  await until(
    async () => (await rowsOf(database.database, 'select 1 from audit_unsealed')).length === 0,
    30_000,
  );
  const blocker = await database.owner.pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query('lock table audit_cold_file in share row exclusive mode');
    await sendArchiveJob();
    await until(async () => {
      const { rows } = await blocker.query(
        "select 1 from pg_locks where relation = 'audit_cold_file'::regclass and not granted",
      );
      return rows.length > 0;
    }, 30_000);
    await servers[1].server.end('SIGKILL');
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
}

function run(
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const env = { ...programEnv, ...settings() };
    const child = execFile(
      process.execPath,
      [command, ...args],
      { env },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}
