import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const MIGRATIONS_FOLDER = new URL('../migrations/', import.meta.url);
const MIGRATION_LOCK = 7_314_900_041;

/**
 * Brings schema `identity` to this release: every file of `migrations/` once, in the order of names, all in one
 * transaction. Several servers may start at once: the first migrates, the others wait and find nothing to do.
 */
export async function migrateIdentity(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await applyMissing(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function applyMissing(client: pg.PoolClient): Promise<void> {
  await client.query('create schema if not exists identity');
  await client.query(
    `create table if not exists identity.migration (
       name text primary key, applied_at timestamptz not null default now())`,
  );
  const applied = await client.query<{ name: string }>('select name from identity.migration');
  const done = new Set(applied.rows.map((row) => row.name));
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql'));
  for (const name of names.toSorted()) {
    if (done.has(name)) continue;
    await client.query(await readFile(new URL(name, MIGRATIONS_FOLDER), 'utf8'));
    await client.query('insert into identity.migration (name) values ($1)', [name]);
  }
}
