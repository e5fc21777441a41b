import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { identityMigrations } from '../../../src/compose/identity-migrations.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import {
  ensureRuntimeRole,
  startEmbeddedPostgres,
} from '../../../src/platform/database/embedded-postgres.ts';
import { migrateDatabase } from '../../../src/platform/database/migrate-database.ts';
import {
  EMBEDDED_RUNTIME_ROLE,
  grantRuntime,
} from '../../../src/platform/database/runtime-role.ts';
import {
  isPostgresProcess,
  readPostmasterFile,
} from '../../../src/platform/database/postmaster-file.ts';

const LEFTOVER_PREFIX = 'deviceportal-test-';

declare module 'vitest' {
  interface ProvidedContext {
    /** Any database of the test server. */
    databaseUrl: string;
    /** A migrated database that `createTestDatabase` clones. */
    databaseTemplate: string;
  }
}

/**
 * Vitest's global setup: one PostgreSQL for all test files, without durability, with a migrated template database.
 * `DEVICEPORTAL_TEST_DATABASE_URL` selects another server to run the same suite on; its user must be able to create
 * databases.
 */
export default async function startTestDatabase(
  project: TestProject,
): Promise<() => Promise<void>> {
  await using cleanup = new AsyncDisposableStack();
  const url = process.env['DEVICEPORTAL_TEST_DATABASE_URL'] ?? (await startServer(cleanup));
  const template = `deviceportal_template_${process.pid}_${project.name.replaceAll('-', '_')}`;
  await withClient(url, (client) => client.query(`create database ${template}`));
  cleanup.defer(() =>
    withClient(url, (client) => client.query(`drop database if exists ${template} with (force)`)),
  );
  await migrateTemplate(withDatabase(url, template));
  project.provide('databaseUrl', url);
  project.provide('databaseTemplate', template);
  const owned = cleanup.move();
  return () => owned.disposeAsync();
}

async function startServer(cleanup: AsyncDisposableStack): Promise<string> {
  await removeLeftovers();
  const dataDir = await mkdtemp(join(tmpdir(), `${LEFTOVER_PREFIX}${process.pid}-`));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  // As root, PostgreSQL runs under another user, who must be able to enter the folder.
  await chmod(dataDir, 0o755);
  // Several test files share it.
  const settings = { max_connections: '200' };
  const server = cleanup.use(await startEmbeddedPostgres({ dataDir, durable: false, settings }));
  return server.url;
}

/** A killed run could not stop its database: the next run does. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = Number(new RegExp(`^${LEFTOVER_PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (!owner || isAlive(owner)) continue;
    const dataDir = join(tmpdir(), name);
    const left = await readPostmasterFile(join(dataDir, 'postgres'));
    if (left !== undefined && (await isPostgresProcess(left.pid)))
      process.kill(left.pid, 'SIGQUIT');
    await rm(dataDir, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function migrateTemplate(url: string): Promise<void> {
  await using database = openDatabase({ url, maxConnections: 4 });
  await migrateDatabase(database, identityMigrations);
  const client = await database.pool.connect();
  try {
    await ensureRuntimeRole(client);
    await grantRuntime(client, EMBEDDED_RUNTIME_ROLE);
  } finally {
    client.release();
  }
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
