import { recordValues, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { SealedRecord } from '@deviceportal/audit-proof/chain-check';
import { monthOfId } from '@deviceportal/audit-proof/id-month';
import type { Database } from '../../platform/database/database.ts';
import type { LocalCopies } from '../../platform/files/local-copies.ts';
import { readSealedRecords } from '../data/sealing/sealed-record-queries.ts';
import { quoted, type Analytics } from './analytics.ts';

export interface RecordSources {
  readonly database: Database;
  readonly analytics: Analytics;
  /** Files of archived months. */
  readonly archive: LocalCopies;
}

export interface FoundRecords {
  /** An event; `gone` if it is missing. */
  readonly of: (id: string) => SealedRecord;
  /** How many were read from files, by file: `2026-08/0123456789abcdef.parquet`. */
  readonly archived: ReadonlyMap<string, number>;
}

/**
 * Sealed events by ID, from the database and from files of archived months. Files are found by the month of the ID, not by
 * the table of files, which can be changed as easily as the events.
 */
export async function readRecords(
  { database, analytics, archive }: RecordSources,
  ids: readonly string[],
): Promise<FoundRecords> {
  const stored = await readSealedRecords(database.orm, ids);
  const found = new Map<string, SealedRecord>(stored.map((each) => [each.id, recordValues(each)]));
  const archived = new Map<string, number>();
  const absent = ids.filter((id) => !found.has(id));
  for (const [month, missing] of Map.groupBy(absent, monthOfId)) {
    for (const file of await filesOf(archive, month)) {
      const path = await archive.pathOf(file);
      if (path === undefined) continue;
      const rows = await readFrom(analytics, path, missing);
      for (const record of rows) found.set(record.id, recordValues(record));
      if (rows.length > 0) archived.set(file, rows.length);
    }
  }
  return { archived, of: (id) => found.get(id) ?? { gone: id } };
}

async function filesOf({ files }: LocalCopies, month: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of files.list(`${month}/`)) {
    if (key.endsWith('.parquet')) keys.push(key);
  }
  return keys;
}

/** Empty for a damaged file: its events are reported as missing. */
async function readFrom(
  analytics: Analytics,
  path: string,
  ids: readonly string[],
): Promise<AuditRecord[]> {
  const sorted = ids.toSorted();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  return analytics
    .query<AuditRecord>(
      `select * from read_parquet(${quoted(path)})
       where id between $1 and $2 and id in (${sorted.map(quoted).join(', ')})`,
      [first, last],
    )
    .catch(() => []);
}
