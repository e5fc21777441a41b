import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../database/database.ts';
import { readMigrationVersion, type MigrationStep } from '../database/migrate-database.ts';
import type { SigningKeyRing } from '../installation-secrets.ts';
import { pathIn, type DirectoryLayout } from '../files/directory-files.ts';
import type { FileStore } from '../files/file-store.ts';
import type { InstallationFiles } from '../files/open-files.ts';
import { ringFileOf } from '../secrets/signing-key-ring.ts';
import { toWrittenKey } from '../secrets/written-key.ts';
import {
  END_OF_ROWS,
  KEPT_FOLDERS,
  signedBytes,
  type BackupEntry,
  type BackupHeader,
  type CONTENT_FOLDERS,
} from './backup-format.ts';
import { deliverEncrypted } from './deliver-encrypted.ts';
import { listTables } from './list-tables.ts';

const PIECE_BYTES = 3 * 1024 * 1024;

export interface StreamBackupOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly dataDir: string;
  /** Wherever they are. */
  readonly files: Pick<InstallationFiles, 'software' | 'artifacts' | 'archive'>;
  readonly clock: () => Date;
  readonly migrations: readonly MigrationStep[];
  /** Recipients (`age1…`), or `plaintext` for an unencrypted backup. */
  readonly recipients: readonly string[] | 'plaintext';
  /** Signs the backup. Its private keys seal the audit trail and are not part of the backup. */
  readonly auditKeys: SigningKeyRing;
}

export interface WriteBackupOptions extends StreamBackupOptions {
  readonly file: string;
}

/** A backup with this key could be used to forge a sealed audit trail. */
export const LEFT_OUT_KEYS: ReadonlySet<string> = new Set([ringFileOf('audit')]);

/**
 * Writes a consistent backup into one file while servers are running. The file gets its final name only when it is complete.
 *
 * @returns the number of tables
 */
export async function writeBackup({ file, ...options }: WriteBackupOptions): Promise<number> {
  const draft = `${file}.partial`;
  try {
    const { tables } = await streamBackup(options, (content) =>
      pipeline(content, createWriteStream(draft, { mode: 0o600, flush: true })),
    );
    await rename(draft, file);
    return tables;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Writes a consistent backup while servers are running: all tables are read in one snapshot.
 *
 * @param deliver receives the backup; what it stores must not count before it has resolved
 * @returns the number of tables, and what `deliver` returned
 */
export async function streamBackup<Delivered>(
  options: StreamBackupOptions,
  deliver: (content: Readable) => Promise<Delivered>,
): Promise<{ readonly tables: number; readonly delivered: Delivered }> {
  const client = await options.database.pool.connect();
  let tables = 0;
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const lines = signed(
      backupLines(client, options, (count) => (tables = count)),
      options.auditKeys,
    );
    const delivered = await deliverEncrypted(lines, options.recipients, deliver);
    await client.query('commit');
    client.release();
    return { tables, delivered };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Adds a final line that signs all lines. */
async function* signed(
  lines: AsyncGenerator<string | Buffer>,
  { current }: SigningKeyRing,
): AsyncGenerator<string | Buffer> {
  const hash = createHash('sha256');
  for await (const line of lines) {
    hash.update(line);
    yield line;
  }
  const signature = Buffer.from(await current.sign(signedBytes(hash.digest('hex'))));
  yield toLine({
    kind: 'signature',
    keyId: current.keyId,
    signature: signature.toString('base64'),
  });
}

async function* backupLines(
  client: pg.PoolClient,
  { dataDir, files, clock, auditKeys, migrations }: StreamBackupOptions,
  onEnd: (tables: number) => void,
): AsyncGenerator<string | Buffer> {
  const header: BackupHeader = {
    format: 'device-portal-backup',
    version: 3,
    createdAt: clock().toISOString(),
    migration: await readMigrationVersion(client),
    steps: await readSteps(client, migrations),
    sequences: await readSequences(client),
    auditKeys: auditKeys.known.map(toWrittenKey),
  };
  yield `${JSON.stringify(header)}\n`;
  for (const folder of KEPT_FOLDERS) yield* fileLines(dataDir, folder);
  yield* contentLines('software', files.software, 'spread');
  yield* contentLines('artefacts', files.artifacts, 'spread');
  yield* contentLines('audit-trail', files.archive.files, 'nested');
  const tables = await listTables(client);
  for (const { name, columns } of tables) {
    yield toLine({ kind: 'table', name, columns: [...columns] });
    // A query is used, because partitioned tables cannot be copied directly.
    yield* client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`));
    yield `${END_OF_ROWS}\n`;
  }
  yield toLine({ kind: 'end', tables: tables.length });
  onEnd(tables.length);
}

async function* fileLines(dataDir: string, folder: string): AsyncGenerator<string> {
  const found = await readdir(join(dataDir, folder), { withFileTypes: true }).catch(() => []);
  const kept = found.filter(
    (entry) =>
      entry.isFile() &&
      !entry.name.endsWith('.new') &&
      !LEFT_OUT_KEYS.has(`${folder}/${entry.name}`),
  );
  for (const entry of kept) {
    const content = await readFile(join(dataDir, folder, entry.name), 'base64');
    yield toLine({ kind: 'file', path: `${folder}/${entry.name}`, content });
  }
}

/** Files that rows refer to, at the paths that they have in a data folder. */
async function* contentLines(
  folder: (typeof CONTENT_FOLDERS)[number],
  files: FileStore,
  layout: DirectoryLayout,
): AsyncGenerator<string> {
  for await (const { key } of files.list('')) {
    // The file may have been deleted since it was listed. In that case, no row of this backup
    // refers to it.
    const opened = await files.open(key);
    if (opened === undefined) continue;
    const path = `${folder}/${pathIn(layout, key)}`;
    let at = 0;
    for await (const piece of piecesOf(opened.content)) {
      yield toLine({ kind: 'piece', path, at, content: piece.toString('base64') });
      at += piece.length;
    }
  }
}

/** An empty file also has one piece. */
async function* piecesOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  let isEmpty = true;
  for await (const chunk of content) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    [held, bytes, isEmpty] = [[], 0, false];
  }
  if (isEmpty || bytes > 0) yield Buffer.concat(held);
}

function toLine(entry: BackupEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

async function readSteps(
  client: pg.PoolClient,
  migrations: readonly MigrationStep[],
): Promise<BackupHeader['steps']> {
  const steps: Record<string, string> = {};
  for (const { name, readVersion } of migrations) {
    const version = await readVersion(client);
    if (version !== undefined) steps[name] = version;
  }
  return steps;
}

async function readSequences(client: pg.PoolClient): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string; value: number }>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value as value
    from pg_sequences
    where last_value is not null and schemaname not in ('drizzle', 'jobs')`);
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
}
