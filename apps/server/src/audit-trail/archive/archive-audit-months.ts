import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { inTransaction, type Database } from '../../platform/database/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { insertArchiveFile } from '../data/archive/archive-file-queries.ts';
import {
  copyMonth,
  dropMonth,
  findMonthsBefore,
  holdMonth,
  readMonthAfter,
  type MonthPartition,
} from '../data/archive/month-queries.ts';
import { recordAudit, systemActor } from '../record-audit.ts';
import { quoted, type Analytics } from './analytics.ts';
import { digestOf, PAGE, type EventsDigest } from './events-digest.ts';

/** Longer than the time limit of the job. */
const SCRATCH_MS = 24 * 3_600_000;

export interface ArchiveDeps {
  readonly database: Database;
  readonly analytics: Analytics;
  /** Files of archived months. */
  readonly archive: { readonly files: FileStore };
  /** Folder on this machine for months that are being converted. */
  readonly scratchDir: string;
}

/**
 * Turns months that ended before a moment into files, and answers which. A month leaves the database only when its
 * file holds the same events, by number and by hash. Whatever ends the server on the way, the next call begins anew:
 * a file counts from the transaction on that drops the month.
 */
export async function archiveAuditMonths(deps: ArchiveDeps, before: Date): Promise<string[]> {
  const done: string[] = [];
  for (const month of await findMonthsBefore(deps.database.orm, before)) {
    if (await archive(deps, month)) done.push(month.month);
  }
  return done;
}

async function archive(deps: ArchiveDeps, month: MonthPartition): Promise<boolean> {
  const { orm } = deps.database;
  const hot = await digestOf((id) => readMonthAfter(orm, month, id, PAGE));
  if (hot === null) return drop(deps, month, null);
  const file = `${month.month}/${hot.digest.slice(0, 16)}.parquet`;
  await inScratch(deps.scratchDir, async (scratch) => {
    const [csv, parquet] = [join(scratch, 'events.csv'), join(scratch, 'events.parquet')];
    await exportRows(deps.database, month, csv);
    await deps.analytics.query(parquetFrom(csv, parquet));
    const cold = await digestOf((id) => readFileAfter(deps.analytics, parquet, id));
    if (cold?.digest !== hot.digest || cold.events !== hot.events) {
      throw new Error(`the archive file of ${month.month} differs from the events of the month`);
    }
    await storeDurably(deps.archive.files, file, parquet);
  });
  return drop(deps, month, { ...hot, file });
}

/** Resolves when the store returns the same file. */
async function storeDurably(files: FileStore, key: string, path: string): Promise<void> {
  const { sha256 } = await files.put(key, createReadStream(path));
  const stored = await files.open(key);
  const found = createHash('sha256');
  if (stored !== undefined) await pipeline(stored.content, found);
  if (found.digest('hex') !== sha256) throw new Error(`${key} differs in the file store`);
}

async function inScratch(
  scratchDir: string,
  work: (scratch: string) => Promise<void>,
): Promise<void> {
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  await deleteOldScratch(scratchDir);
  const scratch = await mkdtemp(join(scratchDir, 'month-'));
  try {
    await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What killed servers left. */
async function deleteOldScratch(scratchDir: string): Promise<void> {
  for (const name of await readdir(scratchDir)) {
    const path = join(scratchDir, name);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined || found.mtimeMs > Date.now() - SCRATCH_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}

async function exportRows(database: Database, month: MonthPartition, path: string): Promise<void> {
  const client = await database.pool.connect();
  try {
    const rows = client.query(copyTo(copyMonth(month)));
    await pipeline(rows, createWriteStream(path, { mode: 0o600 }));
  } finally {
    client.release();
  }
}

const ROW_GROUP = 20_480;

/**
 * How files of months are written. With a dictionary of any size, each column of a row group has a Bloom filter, so
 * that a search by a device, user, run, or request does not read the row groups without it.
 */
export const fileFormat = `format parquet, compression zstd, row_group_size ${ROW_GROUP}, dictionary_size_limit ${ROW_GROUP}`;

/** The statement that turns the CSV of a month into its file. */
export function parquetFrom(csv: string, parquet: string): string {
  const columns = recordFields.map((field) => `${quoted(field)}: 'VARCHAR'`).join(', ');
  return `copy (select * from read_csv(${quoted(csv)}, header = false, auto_detect = false, delim = ',', quote = '"',
      escape = '"', nullstr = '\\N', allow_quoted_nulls = false, max_line_size = 4194304,
      buffer_size = 8388608, parallel = false,
      columns = {${columns}}) order by id)
    to ${quoted(parquet)} (${fileFormat})`;
}

const readFileAfter = (analytics: Analytics, path: string, id: string): Promise<AuditRecord[]> =>
  analytics.query<AuditRecord>(
    `select * from read_parquet(${quoted(path)}) where id > $1 order by id limit ${PAGE}`,
    [id],
  );

/** The month goes in the transaction in which its file begins to count; not when something came to it meanwhile. */
async function drop(
  { database }: ArchiveDeps,
  { month }: MonthPartition,
  cold: (EventsDigest & { readonly file: string }) | null,
): Promise<boolean> {
  return inTransaction(database, async (tx) => {
    if ((await holdMonth(tx, month)) !== (cold?.events ?? 0)) return false;
    if (cold !== null) {
      await insertArchiveFile(tx, { ...cold, month });
      const { events, digest, file } = cold;
      await recordAudit(tx, [
        {
          type: 'audit-trail.month-archived',
          actor: systemActor,
          data: { month, events, digest, file },
        },
      ]);
    }
    await dropMonth(tx, month);
    return true;
  });
}
