import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { migrateJobs } from '../jobs/migrate-jobs.ts';
import { StartError } from '../process/start-error.ts';
import type { Database } from './database.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const MIGRATION_LOCK = 7_314_900_002;
const MIN_SERVER_VERSION = 150_000;
const EXTENSIONS = ['pg_trgm', 'fuzzystrmatch'] as const;

/** Migrations of another package (the identity service), run under the same lock. */
export interface MigrationStep {
  /** Its name in a backup. */
  readonly name: string;
  /** The version of backups without a name, which were created before backups had names. */
  readonly versionOfUnnamed: string;
  /** @param upTo the last migration to apply; defaults to the newest */
  migrate(pool: pg.Pool, upTo?: string): Promise<void>;
  /** The last migration applied to a database. */
  readVersion(db: pg.Pool | pg.PoolClient): Promise<string | undefined>;
  /** All migrations of this release, newest last. */
  readAll(): Promise<readonly string[]>;
}

export interface MigrationTarget {
  readonly folder: string;
  /** The last migration of each step by name; defaults to the newest. */
  readonly steps: Readonly<Record<string, string>>;
}

/**
 * Migrates the schema to this release. If several servers start at the same time, the first one
 * migrates and the others wait.
 * @throws StartError if PostgreSQL is older than 15 or an extension cannot be created
 */
export async function migrateDatabase(
  database: Pick<Database, 'pool'>,
  further: readonly MigrationStep[] = [],
  { folder = MIGRATIONS_FOLDER, steps = {} }: Partial<MigrationTarget> = {},
): Promise<void> {
  const client = await database.pool.connect();
  try {
    await requireVersion(client);
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await createExtensions(client);
      await migrate(drizzle(client), { migrationsFolder: folder });
      for (const step of further) await step.migrate(database.pool, steps[step.name]);
      await migrateJobs(database.pool);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    client.release();
  }
}

async function requireVersion(client: pg.PoolClient): Promise<void> {
  const answer = await client.query<{ version: string }>(
    "select current_setting('server_version_num') as version",
  );
  const version = Number(answer.rows[0]?.version);
  if (version < MIN_SERVER_VERSION) {
    const found = Math.floor(version / 10_000);
    throw new StartError(
      `DEVICEPORTAL_DATABASE_URL is PostgreSQL ${found}. Version 15 or newer is required.`,
    );
  }
}

async function createExtensions(client: pg.PoolClient): Promise<void> {
  for (const name of EXTENSIONS) {
    try {
      await client.query(`create extension if not exists ${name}`);
    } catch (error) {
      throw new StartError(
        `The database does not have the extension ${name}. Run "create extension ${name}" in it once as a superuser.`,
        { cause: error },
      );
    }
  }
}

/** The newest migration of this release, as numbered by drizzle. */
export async function readNewestMigration(folder: string = MIGRATIONS_FOLDER): Promise<number> {
  const journal = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { when: number }[];
  };
  return journal.entries.at(-1)?.when ?? 0;
}

/** The newest migration of a database, as numbered by drizzle; 0 for an empty one. */
export async function readMigrationVersion(pool: pg.Pool | pg.PoolClient): Promise<number> {
  const table = await pool.query<{ found: string | null }>(
    "select to_regclass('drizzle.__drizzle_migrations')::text as found",
  );
  if (table.rows[0]?.found == null) return 0;
  const answer = await pool.query<{ version: number | string | null }>(
    'select max(created_at) as version from drizzle.__drizzle_migrations',
  );
  return Number(answer.rows[0]?.version ?? 0);
}
