import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { recordValues, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { SealedRecord } from '@deviceportal/audit-proof/chain-check';
import type { Database } from '../../platform/database/database.ts';
import { readSealedRecords } from '../sealed-record.ts';
import { quoted, type Analytics } from './analytics.ts';
import { coldFilesAround } from './cold-file-store.ts';

export interface RecordSources {
  readonly database: Database;
  readonly analytics: Analytics;
  readonly coldDir: string;
}

/** Sealed events by id, from the database and from cold months; `expired` where their month was deleted in its time. */
export async function readRecords(
  { database, analytics, coldDir }: RecordSources,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SealedRecord>> {
  const hot = await readSealedRecords(database.orm, ids);
  const found = new Map<string, SealedRecord>(hot.map((each) => [each.id, recordValues(each)]));
  const missing = ids.filter((id) => !found.has(id)).toSorted();
  const [first, last] = [missing[0], missing.at(-1)];
  if (first === undefined || last === undefined) return found;
  const around = await coldFilesAround(database.orm, first, last);
  const paths = around.filter(({ deleted }) => !deleted).map(({ file }) => join(coldDir, file));
  for (const path of await existing(paths)) {
    const wanted = missing.map(quoted).join(', ');
    const rows = await analytics.query<AuditRecord>(
      `select * from read_parquet(${quoted(path)}) where id between $1 and $2 and id in (${wanted})`,
      [first, last],
    );
    for (const record of rows) found.set(record.id, recordValues(record));
  }
  const expired = around.filter(({ deleted }) => deleted);
  for (const id of missing) {
    const isExpired = expired.some(({ firstId, lastId }) => firstId <= id && id <= lastId);
    if (isExpired && !found.has(id)) found.set(id, 'expired');
  }
  return found;
}

/** A file that is gone is a gap: its events are missed one by one. */
export async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  return found.flat();
}
