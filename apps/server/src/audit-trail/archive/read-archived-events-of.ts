import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { findArchiveFiles } from '../data/archive/archive-file-queries.ts';
import { selectArchivedEvents } from '../select-audit-events.ts';
import { quoted, type Analytics } from './analytics.ts';
import type { RecordSources } from './read-records.ts';

/** More events of one file are read by row groups, of which each has about 20,480 rows. */
const EVENTS_AT_ONCE = 20_000;
const OPENED_AT_ONCE = 1_000;

export interface ArchivedEventsOf {
  readonly pages: AsyncGenerator<readonly AuditEvent[]>;
  /** Months whose files are gone, once the pages are read. */
  readonly gaps: readonly string[];
}

/** What a user did in archived months, the newest month first. Each file is read once, and a part of it at a time. */
export function readArchivedEventsOf(
  sources: RecordSources,
  actorId: string,
  signal?: AbortSignal,
): ArchivedEventsOf {
  const gaps: string[] = [];
  return { gaps, pages: readPages(sources, { actorId, signal, gaps }) };
}

interface Wanted {
  readonly actorId: string;
  readonly signal: AbortSignal | undefined;
  readonly gaps: string[];
}

async function* readPages(
  { database, analytics, archive }: RecordSources,
  { actorId, signal, gaps }: Wanted,
): AsyncGenerator<readonly AuditEvent[]> {
  for (const { file, month } of await findArchiveFiles(database.orm, { from: null, to: null })) {
    const path = await archive.pathOf(file);
    if (path === undefined) {
      if (!gaps.includes(month)) gaps.push(month);
      continue;
    }
    for await (const records of recordsIn(analytics, { path, actorId, signal })) {
      for (let at = 0; at < records.length; at += OPENED_AT_ONCE) {
        signal?.throwIfAborted();
        const walked = records.slice(at, at + OPENED_AT_ONCE);
        const query = { walked, residual: [], targetsInSight: null, pageSize: walked.length };
        yield (await selectArchivedEvents(database.orm, query)).events;
      }
    }
  }
}

async function* recordsIn(
  analytics: Analytics,
  { path, actorId, signal }: Omit<Wanted, 'gaps'> & { readonly path: string },
): AsyncGenerator<AuditRecord[]> {
  const from = `from read_parquet(${quoted(path)})`;
  const where = `where "actorId" = ${quoted(actorId)} and "actorKind" <> 'device'`;
  const read = (range: string): Promise<AuditRecord[]> =>
    analytics.query<AuditRecord>(
      `select ${recordFields.map((field) => `"${field}"`).join(', ')} ${from} ${where} ${range}`,
      [],
      signal,
    );
  const [counted] = await analytics.query<{ events: number }>(
    `select count(*)::integer as events ${from} ${where}`,
    [],
    signal,
  );
  const events = Number(counted?.events ?? 0);
  if (events === 0) return;
  if (events <= EVENTS_AT_ONCE) {
    yield await read('');
    return;
  }
  // Rows are in the order of their ids: the bounds of a row group find its rows, and no others are read.
  const groups = await analytics.query<{ first: string; last: string }>(
    `select stats_min_value as first, stats_max_value as last from parquet_metadata(${quoted(path)})
     where path_in_schema = 'id' order by first`,
    [],
    signal,
  );
  for (const { first, last } of groups) {
    yield await read(`and id between ${quoted(first)} and ${quoted(last)}`);
  }
}
