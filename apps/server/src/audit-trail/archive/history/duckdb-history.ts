import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { ArchivePeriod } from '../../data/archive/archive-file-queries.ts';
import type { LocalCopies } from '../../../platform/files/local-copies.ts';
import { quoted, type Analytics } from '../analytics.ts';
import type { ArchivedRecords, EventsOfUser, HistoryPort, NewestEvents } from './history-port.ts';
import {
  conditionsOfNewest,
  conditionsOfUser,
  every,
  type Condition,
} from './record-conditions.ts';

/** More events of one file are read by row groups, of which each has about 20,480 rows. */
const EVENTS_AT_ONCE = 20_000;

interface DuckDbSources {
  readonly analytics: Analytics;
  /** Files of archived months. */
  readonly archive: LocalCopies;
}

const columns = recordFields.map((field) => `"${field}"`).join(', ');

/** Questions on archived months, answered by DuckDB from files on this machine. */
export function createDuckDbHistory(sources: DuckDbSources): HistoryPort {
  return {
    newestEvents: (question, signal) => findNewest(sources, question, signal),
    eventsOfUser(question, signal) {
      const gaps: string[] = [];
      return { gaps, pages: readPages(sources, question, { gaps, signal }) };
    },
  };
}

async function findNewest(
  { analytics, archive }: DuckDbSources,
  question: NewestEvents,
  signal: AbortSignal | undefined,
): Promise<ArchivedRecords> {
  const { paths, gaps } = await pathsOf(archive, question.files);
  if (paths.length === 0) return { records: [], gaps };
  const { sql, values } = conditionsOfNewest(question);
  const records = await analytics.query<AuditRecord>(
    `select ${columns} from read_parquet([${paths.map(quoted).join(', ')}])
     where ${sql} order by "at" desc, "id" desc limit ${question.limit}`,
    values,
    signal,
  );
  return { records, gaps };
}

async function pathsOf(
  archive: LocalCopies,
  files: readonly ArchivePeriod[],
): Promise<{ readonly paths: string[]; readonly gaps: string[] }> {
  const paths: string[] = [];
  const gaps = new Set<string>();
  for (const { file, month } of files) {
    const path = await archive.pathOf(file);
    if (path === undefined) gaps.add(month);
    else paths.push(path);
  }
  return { paths, gaps: [...gaps] };
}

/** Each file is read once, and a part of it at a time. */
async function* readPages(
  { analytics, archive }: DuckDbSources,
  question: EventsOfUser,
  { gaps, signal }: { readonly gaps: string[]; readonly signal: AbortSignal | undefined },
): AsyncGenerator<readonly AuditRecord[]> {
  const where = conditionsOfUser(question);
  for (const { file, month } of question.files) {
    const path = await archive.pathOf(file);
    if (path !== undefined) yield* recordsIn(analytics, { path, where, signal });
    else if (!gaps.includes(month)) gaps.push(month);
  }
}

interface ReadFile {
  readonly path: string;
  readonly where: Condition;
  readonly signal: AbortSignal | undefined;
}

async function* recordsIn(
  analytics: Analytics,
  { path, where, signal }: ReadFile,
): AsyncGenerator<AuditRecord[]> {
  const from = `from read_parquet(${quoted(path)})`;
  const read = (condition: Condition): Promise<AuditRecord[]> =>
    analytics.query<AuditRecord>(
      `select ${columns} ${from} where ${condition.sql} order by "id"`,
      condition.values,
      signal,
    );
  const [counted] = await analytics.query<{ events: number }>(
    `select count(*)::integer as events ${from} where ${where.sql}`,
    where.values,
    signal,
  );
  const events = Number(counted?.events ?? 0);
  if (events === 0) return;
  if (events <= EVENTS_AT_ONCE) {
    yield await read(where);
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
    yield await read(every([where, { sql: '"id" between ? and ?', values: [first, last] }]));
  }
}
