import { sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';

/** A month that has become a file. */
export interface ColdFile {
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

export async function insertColdFile(tx: Transaction, cold: ColdFile): Promise<void> {
  await tx.execute(sql`
    insert into audit_cold_file (file, month, events, first_id, last_id, first_at, last_at, digest)
    values (${cold.file}, ${cold.month}, ${cold.events}, ${cold.firstId}, ${cold.lastId},
            ${cold.firstAt}::timestamptz, ${cold.lastAt}::timestamptz, decode(${cold.digest}, 'hex'))`);
}

/** Files that are kept, with events in a period; the newest first. */
export async function coldFilesIn(
  executor: Executor,
  { from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<ColdFile[]> {
  const { rows } = await executor.execute(sql`
    select ${fields} from audit_cold_file
    where deleted_at is null and last_at >= coalesce(${from}::timestamptz, '-infinity')
      and first_at <= coalesce(${to}::timestamptz, 'infinity') order by last_at desc, file`);
  return (rows as unknown as ColdFile[]).map((row) => ({
    ...row,
    firstAt: isoOf(row.firstAt),
    lastAt: isoOf(row.lastAt),
  }));
}

/** Files, kept or not, whose ids lie between two. */
export async function coldFilesAround(
  executor: Executor,
  first: string,
  last: string,
): Promise<(Pick<ColdFile, 'file' | 'firstId' | 'lastId'> & { readonly deleted: boolean })[]> {
  const { rows } = await executor.execute(sql`
    select file, first_id as "firstId", last_id as "lastId", deleted_at is not null as deleted
    from audit_cold_file where first_id <= ${last}::uuid and last_id >= ${first}::uuid`);
  return rows as never;
}

/** Marks the files whose last event is older; their rows stay, so that it is known why the events are gone. */
export async function endColdFiles(tx: Transaction, before: Date): Promise<ColdFile[]> {
  const { rows } = await tx.execute(sql`
    update audit_cold_file set deleted_at = portal_now()
    where deleted_at is null and last_at < ${before.toISOString()}::timestamptz returning ${fields}`);
  return rows as unknown as ColdFile[];
}
