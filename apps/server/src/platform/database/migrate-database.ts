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
const EXTENSIONS = ['pg_trgm'] as const;

/** Migrations of another package (the identity service), run under the same lock. */
export interface MigrationStep {
  /** Names them in a backup. */
  readonly name: string;
  /** What a backup has that names none: it was made before backups did. */
  readonly versionOfUnnamed: string;
  /** @param upTo the last one to apply; left out: the newest */
  migrate(pool: pg.Pool, upTo?: string): Promise<void>;
  /** The last one that a database has. */
  readVersion(db: pg.Pool | pg.PoolClient): Promise<string | undefined>;
  /** All of this release, the newest last. */
  readAll(): Promise<readonly string[]>;
}

export interface MigrationTarget {
  readonly folder: string;
  /** The last ones of each step, by its name; left out: the newest. */
  readonly steps: Readonly<Record<string, string>>;
}

/**
 * Brings the schema to this release. Several servers may start at once: the first migrates, the others wait for it.
 * @throws StartError when the server is older than PostgreSQL 15 or an extension cannot be made
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
      `DEVICEPORTAL_DATABASE_URL names a PostgreSQL ${found}; 15 or newer is needed.`,
    );
  }
}

async function createExtensions(client: pg.PoolClient): Promise<void> {
  for (const name of EXTENSIONS) {
    try {
      await client.query(`create extension if not exists ${name}`);
    } catch (error) {
      throw new StartError(
        `The database has no extension ${name}: a superuser must run "create extension ${name}" in it once.`,
        { cause: error },
      );
    }
  }
}

/** The newest migration of this release, as drizzle counts them. */
export async function readNewestMigration(folder: string = MIGRATIONS_FOLDER): Promise<number> {
  const journal = JSON.parse(await readFile(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: { when: number }[];
  };
  return journal.entries.at(-1)?.when ?? 0;
}

/** The newest migration that a database has, as drizzle counts them; 0 for an empty one. */
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
