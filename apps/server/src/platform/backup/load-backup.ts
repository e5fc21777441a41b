import { Readable } from 'node:stream';
import { pipeline as finish } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { END_OF_ROWS } from './backup-format.ts';
import { listTables, type StoredTable } from './list-tables.ts';
import type { OpenedBackup } from './open-backup.ts';
import { DamagedBackup } from './refused-backup.ts';
import type { RestoredFiles } from './restored-files.ts';

/** Who vouches for everything in a backup. */
export interface BackupSignature {
  readonly keyId: string;
  readonly signature: Uint8Array;
  /** SHA-256 of all lines before it, hexadecimal. */
  readonly sha256: string;
}

/**
 * Puts all that a backup has into the tables of the schema it was made with, and aside.
 *
 * @returns its signature; null for one of a release that did not sign
 * @throws DamagedBackup when it is not whole
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
    if (entry.kind === 'signature') throw new DamagedBackup('is cut off or damaged');
    if (entry.kind === 'table') {
      await loadTable(client, requireKnown(known, entry), backup);
      tables += 1;
    }
    if (entry.kind !== 'end') continue;
    if (entry.tables !== tables) throw new DamagedBackup('is cut off or damaged');
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
  if (entry.kind !== 'signature') throw new DamagedBackup('is cut off or damaged');
  return {
    keyId: entry.keyId,
    signature: Buffer.from(entry.signature, 'base64'),
    sha256: before,
  };
}

/** Names become part of statements, so a backup says none that the schema does not have. */
function requireKnown(known: ReadonlyMap<string, StoredTable>, table: StoredTable): StoredTable {
  const columns = known.get(table.name)?.columns ?? [];
  if (columns.length > 0 && table.columns.every((column) => columns.includes(column))) return table;
  throw new DamagedBackup('names a table that its release does not have');
}

async function loadTable(
  client: pg.PoolClient,
  { name, columns }: StoredTable,
  backup: OpenedBackup,
): Promise<void> {
  // What triggers made of these rows is in the backup as well: made again, it would be there twice.
  await client.query(`alter table ${name} disable trigger user`);
  const rows = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`));
  await finish(Readable.from(rowsOfTable(backup)), rows).catch((error: unknown) => {
    if (error instanceof DamagedBackup) throw error;
    throw new DamagedBackup(`has rows that the table ${name} does not take`, { cause: error });
  });
  await client.query(`alter table ${name} enable trigger user`);
}

const BLOCK_BYTES = 64 * 1024;

/** Rows up to the end mark, in blocks: one write for each row would be slow. */
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
