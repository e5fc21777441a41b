import { cp, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { pipeline as finish } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Database } from '../database/database.ts';
import {
  migrateDatabase,
  MIGRATIONS_FOLDER,
  type MigrationStep,
} from '../database/migrate-database.ts';
import { StartError } from '../start-error.ts';
import {
  backupEntrySchema,
  backupHeaderSchema,
  END_OF_ROWS,
  type BackupEntry,
  type BackupHeader,
} from './backup-format.ts';
import { readLines } from './read-lines.ts';
import { RestoredFiles } from './restored-files.ts';

export interface RestoreBackupOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly dataDir: string;
  readonly file: string;
  readonly migrations: readonly MigrationStep[];
}

/**
 * Fills an empty database from a backup, all or nothing, and brings an older backup to this release.
 * @returns when the backup was made
 * @throws StartError when the database is not empty, or the file is not a whole backup or of a newer release
 */
export async function restoreBackup(options: RestoreBackupOptions): Promise<Date> {
  const lines = readLines(await openUnzipped(options.file));
  try {
    const header = await readHeader(lines, options.file);
    await requireEmpty(options.database.pool);
    await migrateUpTo(options, header.migration);
    await using files = new RestoredFiles(options.dataDir);
    await loadInOneTransaction(options, { header, lines, files });
    await files.keep();
    await migrateDatabase(options.database, options.migrations);
    return new Date(header.createdAt);
  } catch (error) {
    const code = (error as { code?: string }).code ?? '';
    if (code.startsWith('Z_')) throw new StartError(`${options.file} is cut off or damaged.`);
    throw error;
  } finally {
    await lines.return(undefined);
  }
}

type Lines = AsyncGenerator<Buffer>;

async function openUnzipped(file: string): Promise<Gunzip> {
  const opened = await open(file).catch((error: unknown) => {
    throw new StartError(`There is no file ${file} that can be read.`, { cause: error });
  });
  const unzipped = createGunzip();
  // A failure of either stream ends both, and is thrown where the lines are read.
  pipeline(opened.createReadStream(), unzipped, () => {});
  return unzipped;
}

async function readHeader(lines: Lines, file: string): Promise<BackupHeader> {
  const first = await lines.next().catch(() => ({ value: undefined }));
  const header = backupHeaderSchema.safeParse(parseJson(first.value));
  if (!header.success) throw new StartError(`${file} is not a backup of Device Portal.`);
  return header.data;
}

/** A database on which a server has been started has its settings. */
async function requireEmpty(pool: pg.Pool): Promise<void> {
  const table = await pool.query<{ found: string | null }>(
    "select to_regclass('public.setting')::text as found",
  );
  if (table.rows[0]?.found == null) return;
  const rows = await pool.query('select from setting limit 1');
  if (rows.rowCount === 0) return;
  throw new StartError(
    'The database is not empty. Restore into a new one: name another folder with --data-dir, or an empty database with DEVICEPORTAL_DATABASE_URL.',
  );
}

/** The schema as it was when the backup was made: later migrations may change the data they find. */
async function migrateUpTo(
  { database, migrations }: RestoreBackupOptions,
  version: number,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'deviceportal-migrations-'));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const path = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { when: number }[] };
    const entries = journal.entries.filter(({ when }) => when <= version);
    if (entries.at(-1)?.when !== version) {
      throw new StartError('The backup was made by a newer release: restore it with that one.');
    }
    await writeFile(path, JSON.stringify({ ...journal, entries }));
    await migrateDatabase(database, migrations, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Loading {
  readonly header: BackupHeader;
  readonly lines: Lines;
  readonly files: RestoredFiles;
}

async function loadInOneTransaction(
  { database, file }: RestoreBackupOptions,
  { header, lines, files }: Loading,
): Promise<void> {
  const client = await database.pool.connect();
  let failed = true;
  try {
    await client.query('begin');
    await loadEntries(client, { lines, files, file });
    for (const [name, value] of Object.entries(header.sequences)) {
      await client.query('select setval($1::regclass, $2)', [name, value]);
    }
    await client.query('commit');
    failed = false;
  } finally {
    // A connection in the middle of a transaction is closed, which rolls it back.
    client.release(failed);
  }
}

async function loadEntries(
  client: pg.PoolClient,
  { lines, files, file }: Omit<Loading, 'header'> & { readonly file: string },
): Promise<void> {
  let tables = 0;
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw new StartError(`${file} is cut off or damaged.`);
    const entry: BackupEntry = backupEntrySchema.parse(parseJson(line));
    if (entry.kind === 'file') await files.add(entry.path, 0, entry.content);
    if (entry.kind === 'piece') await files.add(entry.path, entry.at, entry.content);
    if (entry.kind === 'table') {
      await loadTable(client, entry, lines);
      tables += 1;
    }
    if (entry.kind === 'end') {
      if (entry.tables !== tables) throw new StartError(`${file} is cut off or damaged.`);
      return;
    }
  }
}

async function loadTable(
  client: pg.PoolClient,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  lines: Lines,
): Promise<void> {
  // What triggers made of these rows is in the backup as well: made again, it would be there twice.
  await client.query(`alter table ${name} disable trigger user`);
  const rows = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
  await finish(Readable.from(rowsOfTable(lines)), rows);
  await client.query(`alter table ${name} enable trigger user`);
}

const BLOCK_BYTES = 64 * 1024;

/** Rows up to the end mark, in blocks: one write for each row would be slow. */
async function* rowsOfTable(lines: Lines): AsyncGenerator<Buffer> {
  const newLine = Buffer.from('\n');
  let block: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const { value: line, done } = await lines.next();
    if (done) throw new StartError('The backup is cut off or damaged.');
    if (line.toString('latin1') === END_OF_ROWS) break;
    block.push(line, newLine);
    bytes += line.length + 1;
    if (bytes < BLOCK_BYTES) continue;
    yield Buffer.concat(block);
    block = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(block);
}

function parseJson(line: Buffer | undefined): unknown {
  try {
    return JSON.parse(line?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
