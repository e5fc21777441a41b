import { Readable } from 'node:stream';
import { pipeline as finish } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { END_OF_ROWS } from './backup-format.ts';
import { listTables, type StoredTable } from './list-tables.ts';
import type { OpenedBackup } from './open-backup.ts';
import { DamagedBackup } from './refused-backup.ts';
import type { RestoredFiles } from './restored-files.ts';

/** Signature over the content of a backup. */
export interface BackupSignature {
  readonly keyId: string;
  readonly signature: Uint8Array;
  /** SHA-256 of all previous lines, hexadecimal. */
  readonly sha256: string;
}

/**
 * Loads a backup into the tables of its schema version, and its files into the aside folder.
 *
 * @returns its signature; null for backups of a release without signatures
 * @throws DamagedBackup if it is incomplete
 */
export async function loadBackup(
  client: pg.PoolClient,
  backup: OpenedBackup,
  files: RestoredFiles,
): Promise<BackupSignature | null> {
  const known = new Map((await listTables(client)).map((table) => [table.name, table]));
  let tables = 0;
  for (;;) {
    const { entry } = await backup.nextEntry();
    if (entry.kind === 'file') await files.add(entry.path, 0, entry.content);
    if (entry.kind === 'piece') await files.add(entry.path, entry.at, entry.content);
    if (entry.kind === 'signature') throw new DamagedBackup('is truncated or damaged');
    if (entry.kind === 'table') {
      await loadTable(client, requireKnown(known, entry), backup);
      tables += 1;
    }
    if (entry.kind !== 'end') continue;
    if (entry.tables !== tables) throw new DamagedBackup('is truncated or damaged');
    break;
  }
  const signature = backup.header.version < 3 ? null : await readSignature(backup);
  await backup.end();
  for (const [name, value] of Object.entries(backup.header.sequences)) {
    await client.query('select setval($1::regclass, $2)', [name, value]);
  }
  return signature;
}

async function readSignature(backup: OpenedBackup): Promise<BackupSignature> {
  const { entry, before } = await backup.nextEntry();
  if (entry.kind !== 'signature') throw new DamagedBackup('is truncated or damaged');
  return {
    keyId: entry.keyId,
    signature: Buffer.from(entry.signature, 'base64'),
    sha256: before,
  };
}

/** Table names are used in statements, so only tables of the schema are accepted. */
function requireKnown(known: ReadonlyMap<string, StoredTable>, table: StoredTable): StoredTable {
  const columns = known.get(table.name)?.columns ?? [];
  if (columns.length > 0 && table.columns.every((column) => columns.includes(column))) return table;
  throw new DamagedBackup('contains a table that does not exist in its release');
}

async function loadTable(
  client: pg.PoolClient,
  { name, columns }: StoredTable,
  backup: OpenedBackup,
): Promise<void> {
  // The backup contains the rows that triggers created. Running the triggers would duplicate them.
  await client.query(`alter table ${name} disable trigger user`);
  // It also contains the rows that migrations insert.
  await client.query(`delete from ${name}`);
  const rows = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
  await finish(Readable.from(rowsOfTable(backup)), rows).catch((error: unknown) => {
    if (error instanceof DamagedBackup) throw error;
    throw new DamagedBackup(`contains rows that do not match the table ${name}`, { cause: error });
  });
  await client.query(`alter table ${name} enable trigger user`);
}

const BLOCK_BYTES = 64 * 1024;

/** The rows up to the end marker, in blocks, because a write per row would be slow. */
async function* rowsOfTable(backup: OpenedBackup): AsyncGenerator<Buffer> {
  const newLine = Buffer.from('\n');
  let block: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const line = await backup.nextRow();
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
