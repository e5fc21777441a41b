import { and, asc, desc, gte, isNull, lt, lte, not, notExists, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { isRangeHeld } from '../../../legal-holds/data/held.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { auditArchiveFile, auditBlock } from '../audit-trail-tables.ts';

const { file, month, events, firstId, lastId, firstAt, lastAt, digest, deletedAt } =
  auditArchiveFile;

/** The file of an archived month. Times have microseconds. */
export interface ArchiveFile {
  /** Relative to the archive folder: `2026-08/<digest>.parquet`. */
  readonly file: string;
  readonly month: string;
  readonly events: number;
  readonly firstId: string;
  readonly lastId: string;
  readonly firstAt: string;
  readonly lastAt: string;
  /** SHA-256 over the hashes of its events in the order of their IDs, hexadecimal. */
  readonly digest: string;
}

export async function insertArchiveFile(tx: Transaction, added: ArchiveFile): Promise<void> {
  await tx.insert(auditArchiveFile).values({
    ...added,
    firstAt: sql`${added.firstAt}::timestamptz`,
    lastAt: sql`${added.lastAt}::timestamptz`,
    digest: Buffer.from(added.digest, 'hex'),
  });
}

/** A file, and the time from its first to its last event. */
export interface ArchivePeriod {
  /** Key of the file: `2026-08/<digest>.parquet`. */
  readonly file: string;
  readonly month: string;
  readonly events: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Files that are kept and have events of a time range; the newest first. */
export const findArchiveFiles = (
  on: Executor,
  { from, to }: { readonly from: string | null; readonly to: string | null },
) =>
  on
    .select({ file, month, events, firstAt, lastAt })
    .from(auditArchiveFile)
    .where(
      and(
        isNull(deletedAt),
        from === null ? undefined : gte(lastAt, sql`${from}::timestamptz`),
        to === null ? undefined : lte(firstAt, sql`${to}::timestamptz`),
      ),
    )
    .orderBy(desc(lastAt), asc(file));

/**
 * Marks files as deleted whose events were all sealed before a time: verification counts retention from the seal, because
 * only its time is signed. A month is kept as a whole while a legal hold reaches into it. The rows remain.
 */
export async function endArchiveFiles(tx: Transaction, before: Date) {
  const sealedSince = new QueryBuilder()
    .select({ number: auditBlock.number })
    .from(auditBlock)
    .where(
      and(
        gte(auditBlock.sealedAt, before),
        lte(auditBlock.firstId, lastId),
        gte(auditBlock.lastId, firstId),
      ),
    );
  const ended = await tx
    .update(auditArchiveFile)
    .set({ deletedAt: portalNow })
    .where(
      and(
        isNull(deletedAt),
        lt(lastAt, before),
        notExists(sealedSince),
        not(isRangeHeld(firstAt, lastAt)),
      ),
    )
    .returning({ file, month, events, digest });
  return ended.map((row) => ({ ...row, digest: row.digest.toString('hex') }));
}
