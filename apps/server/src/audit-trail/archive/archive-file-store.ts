import { sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';

/** A month that has become a file. */
export interface ArchiveFile {
  /** Below the folder of cold months: `2026-08/<digest>.parquet`. */
  readonly file: string;
  readonly month: string;
  readonly events: number;
  readonly firstId: string;
  readonly lastId: string;
  readonly firstAt: string;
  readonly lastAt: string;
  /** SHA-256 over the hashes of its events in the order of their ids, hexadecimal. */
  readonly digest: string;
}

const fields = sql`file, month, events::float8 as events, first_id as "firstId", last_id as "lastId",
  first_at as "firstAt", last_at as "lastAt", encode(digest, 'hex') as digest`;

export async function insertArchiveFile(tx: Transaction, cold: ArchiveFile): Promise<void> {
  await tx.execute(sql`
    insert into audit_cold_file (file, month, events, first_id, last_id, first_at, last_at, digest)
    values (${cold.file}, ${cold.month}, ${cold.events}, ${cold.firstId}, ${cold.lastId},
            ${cold.firstAt}::timestamptz, ${cold.lastAt}::timestamptz, decode(${cold.digest}, 'hex'))`);
}

/** Files that are kept, with events in a period; the newest first. */
export async function archiveFilesIn(
  executor: Executor,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<ArchiveFile[]> {
  const { rows } = await executor.execute(sql`
    select ${fields} from audit_cold_file
    where deleted_at is null and last_at >= coalesce(${from}::timestamptz, '-infinity')
      and first_at <= coalesce(${to}::timestamptz, 'infinity') order by last_at desc, file`);
  return (rows as unknown as ArchiveFile[]).map((row) => ({
    ...row,
    firstAt: isoOf(row.firstAt),
    lastAt: isoOf(row.lastAt),
  }));
}

/**
 * Marks the files whose events were all sealed before a moment: a check counts their retention from the seal, because
 * only its time is signed. The rows stay.
 */
export async function endArchiveFiles(tx: Transaction, before: Date): Promise<ArchiveFile[]> {
  const { rows } = await tx.execute(sql`
    update audit_cold_file set deleted_at = portal_now()
    where deleted_at is null and last_at < ${before.toISOString()}::timestamptz and not exists (
      select from audit_block b where b.sealed_at >= ${before.toISOString()}::timestamptz
        and b.first_id <= audit_cold_file.last_id and b.last_id >= audit_cold_file.first_id)
    returning ${fields}`);
  return rows as unknown as ArchiveFile[];
}
