import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@deviceportal/contract/ids';
import { builtinRoles } from '@deviceportal/contract/permissions';
import { createParameterVault } from '../apps/server/src/commands/parameters/parameter-vault.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import { openPersonalKeys } from '../apps/server/src/personal-data/keys/personal-keys-of.ts';
import { openDatabase, type Database } from '../apps/server/src/platform/database/database.ts';
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts';
import { createDirectoryFiles } from '../apps/server/src/platform/files/directory-files.ts';
import { migrateDatabase } from '../apps/server/src/platform/database/migrate-database.ts';
import type { Viewer } from '../apps/server/src/platform/viewer.ts';
import { getReport } from '../apps/server/src/reports/get-report.ts';
import { createReport } from '../apps/server/src/reports/creation/create-report.ts';
import { requestUserReport } from '../apps/server/src/reports/request-user-report.ts';

const LIMIT_MS = 5_000;
const DEVICES = 20;
const EVENTS = 50_000;
const COMMANDS = 400;

const viewer: Viewer = {
  userId: newId(),
  subject: 'bench',
  username: 'bench',
  displayName: 'Bench',
  email: null,
  roles: ['Administrator'],
  grants: builtinRoles.filter(({ name }) => name === 'Administrator'),
  admitted: true,
  signedInAt: new Date(),
};

/**
 * Measures creating a report on a person with 20 devices and 50,000 events, including all files.
 */
async function main(): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'deviceportal-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  await chmod(dataDir, 0o755);
  const server = cleanup.use(await startEmbeddedPostgres({ dataDir: join(dataDir, 'database') }));
  const database = cleanup.use(openDatabase({ url: server.url, maxConnections: 10 }));
  openPersonalKeys(database, new Uint8Array(32));
  await migrateDatabase(database);
  const personId = await fill(database);
  const deps = {
    ...{ database, clock: () => new Date() },
    userReportFiles: createDirectoryFiles(join(dataDir, 'reports')),
    changes: createLocalChangeFeed(() => {}),
    vault: createParameterVault(createHash('sha256').update('bench').digest()),
    ...{ startReport: async () => {}, reportDays: 30, findCreator: async () => viewer },
  };
  let worstMs = 0;
  for (const language of ['en', 'zh-CN'] as const) {
    const { reportId } = await requestUserReport(deps, viewer, { personId, language });
    const startedMs = performance.now();
    await createReport(deps, reportId);
    const tookMs = performance.now() - startedMs;
    const { state, progress, files } = await getReport(deps, viewer, reportId);
    const events = progress.find(({ step }) => step === 'events')?.count ?? 0;
    if (state !== 'ready' || events < EVENTS) throw new Error(`${state}, ${events} events`);
    worstMs = Math.max(worstMs, tookMs);
    const sizes = files.map(({ format, bytes }) => `${format} ${Math.round(bytes / 1_000)} kB`);
    console.log(`${language}: ${Math.round(tookMs)} ms (${sizes.join(', ')})`);
  }
  const ratio = worstMs / LIMIT_MS;
  console.log(`ratio to the limit of ${LIMIT_MS} ms: ${ratio.toFixed(2)}`);
  if (ratio > 1) process.exitCode = 1;
}

async function fill({ pool }: Database): Promise<string> {
  const personId = newId();
  await pool.query(
    `insert into person (id, username, name, email) values ($1, 'maria', 'Maria Gómez', 'maria@customer.example')`,
    [personId],
  );
  const devices = Array.from({ length: DEVICES }, () => newId());
  await pool.query(
    `insert into device (id, serial_number, name, country, model, lifecycle, owner_id, serial_rank, search_text)
     select id, 'SNBENCH' || n, 'device ' || n, 'DE', 'M1', 'active', $2, 'SNBENCH' || n, 'snbench' || n
     from unnest($1::uuid[]) with ordinality d(id, n)`,
    [devices, personId],
  );
  await pool.query(
    `insert into device_status (device_id, connectivity, lifecycle, country, model, serial_rank, name)
     select id, 'online', 'active', country, model, serial_rank, name from device`,
  );
  await pool.query('alter table audit_event disable trigger user');
  await pool.query(
    `insert into audit_event (id, at, device_id, type, actor_kind, actor_id, actor_name, data)
     select gen_random_uuid(), now() - n * interval '11 seconds', ($1::uuid[])[1 + n % $2],
       (array['device.connected', 'device.disconnected', 'device.software-changed', 'device-event.service-crashed'])[1 + n % 4],
       'device', (($1::uuid[])[1 + n % $2])::text, 'device', jsonb_build_object('reason', 'keep-alive', 'seq', n)
     from generate_series(1, $3) n`,
    [devices, DEVICES, EVENTS],
  );
  const runId = newId();
  await pool.query(
    `insert into command_run (id, idempotency_key, command, document_name, document_version, document_sha256, consequence,
       target, target_sha256, max_concurrency, max_errors, timeout_seconds, execution_timeout_seconds, state,
       status_details, target_count, pending_count, created_by_id, created_by, request_id, deliver_before, expires_at)
     values ($1, $1, 'storage/clean', 'DevicePortal-storage-clean', 1, '', 'changes', '{}', '', '50', '0', 3600, 3600,
       'Success', 'Success', 1, 0, $1, 'bench', 'bench', now(), now())`,
    [runId],
  );
  await pool.query(
    `insert into invocation (id, run_id, device_id, state, status_details, queued_at, started_at, ended_at,
       deliver_before, expires_at, output_preview)
     select gen_random_uuid(), $3, ($1::uuid[])[1 + n % $2], 'Success', 'Success', at, at, at, at, at, 'done'
     from (select n, now() - n * interval '20 minutes' as at from generate_series(1, $4) n) each`,
    [devices, DEVICES, runId, COMMANDS],
  );
  await pool.query('vacuum (analyze) audit_event');
  return personId;
}

await main();
