import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Database } from '../database/database.ts';
import { readMigrationVersion, type MigrationStep } from '../database/migrate-database.ts';
import type { SigningKeyRing } from '../installation-secrets.ts';
import { ringFileOf } from '../secrets/signing-key-ring.ts';
import { toWrittenKey } from '../secrets/written-key.ts';
import { encryptFor } from './backup-encryption.ts';
import {
  CONTENT_FOLDERS,
  END_OF_ROWS,
  KEPT_FOLDERS,
  signedBytes,
  type BackupEntry,
  type BackupHeader,
} from './backup-format.ts';
import { listTables } from './list-tables.ts';

const PIECE_BYTES = 3 * 1024 * 1024;

export interface WriteBackupOptions {
  readonly database: Pick<Database, 'pool'>;
  readonly dataDir: string;
  readonly file: string;
  readonly clock: () => Date;
  readonly migrations: readonly MigrationStep[];
  /** Recipients (`age1…`), or `plaintext` for an unencrypted backup. */
  readonly recipients: readonly string[] | 'plaintext';
  /** Signs the backup. Its private keys seal the audit trail and are not part of the backup. */
  readonly auditKeys: SigningKeyRing;
}

/** A backup with this key could be used to forge a sealed audit trail. */
const LEFT_OUT: ReadonlySet<string> = new Set([ringFileOf('audit')]);

/**
 * Writes a consistent backup into one file while servers are running: all tables are read in one
 * snapshot. The file gets its final name only when it is complete.
 *
 * @returns the number of tables
 */
export async function writeBackup(options: WriteBackupOptions): Promise<number> {
  const draft = `${options.file}.partial`;
  const client = await options.database.pool.connect();
  let tables = 0;
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const lines = signed(
      backupLines(client, options, (count) => (tables = count)),
      options.auditKeys,
    );
    const zipped = createGzip({ level: 5 });
    const { recipients } = options;
    const written = recipients === 'plaintext' ? zipped : await encryptFor(recipients, zipped);
    await Promise.all([
      pipeline(Readable.from(lines), zipped),
      pipeline(written, createWriteStream(draft, { mode: 0o600, flush: true })),
    ]);
    await client.query('commit');
    await rename(draft, options.file);
    client.release();
    return tables;
  } catch (error) {
    await rm(draft, { force: true });
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
  { dataDir, clock, auditKeys, migrations }: WriteBackupOptions,
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
  for (const folder of CONTENT_FOLDERS) yield* contentLines(dataDir, folder);
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
      entry.isFile() && !entry.name.endsWith('.new') && !LEFT_OUT.has(`${folder}/${entry.name}`),
  );
  for (const entry of kept) {
    const content = await readFile(join(dataDir, folder, entry.name), 'base64');
    yield toLine({ kind: 'file', path: `${folder}/${entry.name}`, content });
  }
}

/** The files of a store, two levels deep, in parts. Incomplete files are omitted. */
async function* contentLines(dataDir: string, store: string): AsyncGenerator<string> {
  const folders = await readdir(join(dataDir, store)).catch(() => []);
  for (const folder of folders) {
    const names = await readdir(join(dataDir, store, folder)).catch(() => []);
    for (const name of names.filter((each) => !each.endsWith('.part'))) {
      yield* pieceLines(dataDir, `${store}/${folder}/${name}`);
    }
  }
}

async function* pieceLines(dataDir: string, path: string): AsyncGenerator<string> {
  // The file may have been replaced since it was listed. In that case, no row of this backup refers
  // to it.
  const file = await open(join(dataDir, path)).catch(() => undefined);
  if (file === undefined) return;
  await using _closed = { [Symbol.asyncDispose]: () => file.close() };
  const buffer = Buffer.alloc(PIECE_BYTES);
  let at = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES, at);
    // An empty file also has one part.
    if (bytesRead === 0 && at > 0) return;
    const content = buffer.toString('base64', 0, bytesRead);
    yield toLine({ kind: 'piece', path, at, content });
    at += bytesRead;
    if (bytesRead === 0) return;
  }
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
