import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { inTransaction, type Database } from '../../platform/database/database.ts';
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

export interface ArchiveDeps {
  readonly database: Database;
  readonly analytics: Analytics;
  /** Folder of cold months. */
  readonly archiveDir: string;
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
  const path = join(deps.archiveDir, file);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await exportRows(deps.database, month, `${path}.csv.part`);
    await deps.analytics.query(parquetFrom(`${path}.csv.part`, `${path}.part`));
  } finally {
    await rm(`${path}.csv.part`, { force: true });
  }
  const cold = await digestOf((id) => readFileAfter(deps.analytics, `${path}.part`, id));
  if (cold?.digest !== hot.digest || cold.events !== hot.events) {
    throw new Error(`the archive file of ${month.month} differs from the events of the month`);
  }
  await flush(`${path}.part`);
  await rename(`${path}.part`, path);
  return drop(deps, month, { ...hot, file });
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

function parquetFrom(csv: string, parquet: string): string {
  const columns = recordFields.map((field) => `${quoted(field)}: 'VARCHAR'`).join(', ');
  return `copy (select * from read_csv(${quoted(csv)}, header = false, auto_detect = false, delim = ',', quote = '"',
      escape = '"', nullstr = '\\N', allow_quoted_nulls = false, max_line_size = 4194304,
      buffer_size = 8388608, parallel = false,
      columns = {${columns}}) order by id)
    to ${quoted(parquet)} (format parquet, compression zstd, row_group_size 20480)`;
}

const readFileAfter = (analytics: Analytics, path: string, id: string): Promise<AuditRecord[]> =>
  analytics.query<AuditRecord>(
    `select * from read_parquet(${quoted(path)}) where id > $1 order by id limit ${PAGE}`,
    [id],
  );

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
    await file.chmod(0o600);
  } finally {
    await file.close();
  }
}

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
