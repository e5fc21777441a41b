import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const MIGRATIONS_FOLDER = new URL('../migrations/', import.meta.url);
const MIGRATION_LOCK = 7_314_900_041;

/**
 * Migrates the schema `identity` to this release: every file of `migrations/` once, in name order,
 * in one transaction. If several servers start at the same time, the first one migrates and the
 * others wait.
 * @param upTo the last migration, for a backup of an earlier release; defaults to the newest
 */
export async function migrateIdentity(pool: pg.Pool, upTo?: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await applyMissing(client, upTo);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

/** The last migration that a database has. */
export async function readIdentityVersion(
  db: pg.Pool | pg.PoolClient,
): Promise<string | undefined> {
  const table = await db.query<{ found: string | null }>(
    "select to_regclass('identity.migration')::text as found",
  );
  if (table.rows[0]?.found == null) return undefined;
  const answer = await db.query<{ version: string | null }>(
    `select max(name collate "C") as version from identity.migration`,
  );
  return answer.rows[0]?.version ?? undefined;
}

/** All of this release, the newest last. */
export async function listIdentityMigrations(): Promise<readonly string[]> {
  const names = await readdir(MIGRATIONS_FOLDER);
  return names.filter((name) => name.endsWith('.sql')).toSorted();
}

async function applyMissing(client: pg.PoolClient, upTo: string | undefined): Promise<void> {
  await client.query('create schema if not exists identity');
  await client.query(
    `create table if not exists identity.migration (
       name text primary key, applied_at timestamptz not null default now())`,
  );
  const applied = await client.query<{ name: string }>('select name from identity.migration');
  const done = new Set(applied.rows.map((row) => row.name));
  for (const name of await listIdentityMigrations()) {
    if (done.has(name) || (upTo !== undefined && name > upTo)) continue;
    await client.query(await readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8'));
    await client.query('insert into identity.migration (name) values ($1)', [name]);
  }
}
