import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Database } from '../database/database.ts';
import {
  migrateDatabase,
  MIGRATIONS_FOLDER,
  readMigrationVersion,
  type MigrationStep,
} from '../database/migrate-database.ts';
import { StartError } from '../process/start-error.ts';
import type { BackupHeader } from './backup-format.ts';
import { emptyDatabase } from './empty-database.ts';
import { loadBackup, type BackupSignature } from './load-backup.ts';
import { openBackup, type BackupAccess, type OpenedBackup } from './open-backup.ts';
import { asDamaged, DamagedBackup } from './refused-backup.ts';
import { RestoredFiles } from './restored-files.ts';
import { isUnfinished, markFinished, markUnfinished } from './unfinished-restore.ts';

/** A loaded backup, before the database is opened. */
export interface LoadedBackup {
  readonly header: Pick<BackupHeader, 'version' | 'createdAt' | 'auditKeys'>;
  /** None for backups of a release without signatures. */
  readonly signatures: readonly BackupSignature[];
  /** Data folder with the files of the backup. */
  readonly aside: string;
}

export interface RestoreBackupOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly dataDir: string;
  readonly file: string;
  readonly access: BackupAccess;
  readonly migrations: readonly MigrationStep[];
  /** Throws if the backup does not match its seals. The restore is then rolled back. */
  readonly prove: (loaded: LoadedBackup) => Promise<void>;
  /** Runs in the transaction that opens the restored database. */
  readonly onRestored: (client: pg.PoolClient, header: LoadedBackup['header']) => Promise<void>;
}

/**
 * Restores a backup into an empty database, verifies it, and migrates it to this release. Until
 * this is complete, the database is marked as unfinished and no server starts on it. The next
 * restore removes an unfinished one.
 *
 * @returns when the backup was created
 * @throws StartError if the database is not empty, the file is not a complete and verified backup,
 * or it is from a newer release
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<Date> {
  const { database, dataDir, file, access, migrations } = options;
  try {
    await using backup = await openBackup(file, access);
    const { header } = backup;
    const steps = await readSteps(migrations, header);
    await makeEmpty(options, { version: header.migration, steps });
    await migrateUpTo(options, { version: header.migration, steps });
    await using files = await RestoredFiles.begin(dataDir);
    const signature = await loadUnfinished(database.pool, backup, files);
    try {
      await migrateDatabase(database, migrations);
      const signatures = signature === null ? [] : [signature];
      await options.prove({ header, signatures, aside: files.aside });
    } catch (error) {
      await withClient(database.pool, emptyDatabase);
      throw error;
    }
    await files.keep();
    await inOneTransaction(database.pool, async (client) => {
      await options.onRestored(client, header);
      await markFinished(client);
    });
    return new Date(header.createdAt);
  } catch (error) {
    throw error instanceof DamagedBackup ? asDamaged(file, error) : error;
  }
}

/**
 * Requires an empty database. A database that a server has used has settings; that of an
 * interrupted restore is emptied.
 * @throws StartError if it is in use
 */
async function makeEmpty(
  { database: { pool }, migrations }: RestoreBackupOptions,
  schema: Schema,
): Promise<void> {
  const table = await pool.query<{ found: string | null }>(
    "select to_regclass('public.setting')::text as found",
  );
  if (table.rows[0]?.found == null) return;
  const { rowCount } = await pool.query('select from setting limit 1');
  if (rowCount !== 0 && !(await isUnfinished(pool))) {
    throw new StartError(
      'The database is not empty. Restore into an empty one: choose another folder with --data-dir, or set an empty database with DEVICEPORTAL_DATABASE_URL.',
    );
  }
  // No rows, but tables of another release.
  if (rowCount !== 0 || !(await hasSchema(pool, migrations, schema))) {
    await withClient(pool, emptyDatabase);
  }
}

/** Applied migrations. */
interface Schema {
  /** As numbered by drizzle. */
  readonly version: number;
  readonly steps: BackupHeader['steps'];
}

/** @throws StartError if this release does not have the migration */
async function readSteps(
  migrations: readonly MigrationStep[],
  header: BackupHeader,
): Promise<BackupHeader['steps']> {
  const steps: Record<string, string> = {};
  for (const { name, readAll, versionOfUnnamed } of migrations) {
    const version = header.steps[name] ?? versionOfUnnamed;
    if (!(await readAll()).includes(version)) throw ofNewerRelease();
    steps[name] = version;
  }
  return steps;
}

const ofNewerRelease = (): StartError =>
  new StartError('The backup is from a newer release. Restore it with that release.');

async function hasSchema(
  pool: pg.Pool,
  migrations: readonly MigrationStep[],
  { version, steps }: Schema,
): Promise<boolean> {
  if ((await readMigrationVersion(pool)) !== version) return false;
  for (const { name, readVersion } of migrations) {
    if ((await readVersion(pool)) !== steps[name]) return false;
  }
  return true;
}

/** The schema at the time of the backup, because later migrations can change existing data. */
async function migrateUpTo(
  { database, migrations }: RestoreBackupOptions,
  { version, steps }: Schema,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'deviceportal-migrations-'));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const path = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { when: number }[] };
    const entries = journal.entries.filter(({ when }) => when <= version);
    if (entries.at(-1)?.when !== version) {
      throw ofNewerRelease();
    }
    await writeFile(path, JSON.stringify({ ...journal, entries }));
    await migrateDatabase(database, migrations, { folder, steps });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const loadUnfinished = (
  pool: pg.Pool,
  backup: OpenedBackup,
  files: RestoredFiles,
): Promise<BackupSignature | null> =>
  inOneTransaction(pool, async (client) => {
    const signature = await loadBackup(client, backup, files);
    await markUnfinished(client);
    return signature;
  });

/** On one connection, which is closed if the work fails. */
export async function inOneTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failed = true;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    failed = false;
    return result;
  } finally {
    // A connection inside a transaction is closed, which rolls it back.
    client.release(failed);
  }
}

async function withClient(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await work(client);
  } finally {
    client.release();
  }
}
