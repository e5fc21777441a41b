import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { LocalCopies } from '../../../platform/files/local-copies.ts';
import { quoted, type Analytics } from '../analytics.ts';
import { findPresentFiles } from './present-files.ts';
import { recordTime } from './record-time.ts';
import { windowBefore, type SearchedTime } from './window-before.ts';
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
  readonly pace?: ReadingPace;
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

/** How much is read for one answer. */
export interface ReadingPace {
  /** Events of the first part. */
  readonly firstEvents: number;
  /** What reading a part should take at most. */
  readonly partMs: number;
  /** After it, no further part is read, and the answer is how far the search came. */
  readonly limitMs: number;
}

/** The first part is about a row group of a file. */
const USUAL_PACE: ReadingPace = { firstEvents: 20_480, partMs: 60, limitMs: 60 };
const MOST_GROWTH = 4;
/** A search that is continued has found little so far, and begins with a larger part. */
const CONTINUED_GROWTH = MOST_GROWTH ** 2;

/**
 * Newer events are read first, and older ones only if those are too few, in parts of the time of which each has more
 * events than the one before.
 */
async function findNewest(
  { analytics, archive, pace = USUAL_PACE }: DuckDbSources,
  question: NewestEvents,
  signal: AbortSignal | undefined,
): Promise<ArchivedRecords> {
  const { present, gaps } = await findPresentFiles(archive.files, question.files);
  const asked = conditionsOfNewest(question);
  const time = timeOf(question);
  const startedMs = performance.now();
  const records: AuditRecord[] = [];
  let before: Date | null = null;
  let events = pace.firstEvents * (question.before?.id === '' ? CONTINUED_GROWTH : 1);
  for (;;) {
    const part = windowBefore(present, { ...time, before, events });
    if (part === null) break;
    const partMs = performance.now();
    const found = await Promise.all(part.files.map(({ file }) => archive.pathOf(file)));
    const paths = found.filter(isPresent);
    const select = {
      from: `from read_parquet([${paths.map(quoted).join(', ')}])`,
      where: every([asked, ...since(part.from), ...until(before)]),
      limit: question.limit - records.length,
    };
    // Retention may have deleted a file since it was found.
    if (paths.length > 0) records.push(...(await readNewest(analytics, select, signal)));
    before = part.from;
    if (before === null || records.length >= question.limit) break;
    const nowMs = performance.now();
    if (nowMs - startedMs > pace.limitMs) return { records, gaps, readTo: recordTime(before) };
    const growth = Math.min(MOST_GROWTH, pace.partMs / (nowMs - partMs));
    events = Math.max(pace.firstEvents, Math.ceil(events * growth));
  }
  return { records, gaps, readTo: null };
}

interface SelectNewest {
  readonly from: string;
  readonly where: Condition;
  readonly limit: number;
}

/** Other columns than those of the conditions are read only from the time of the last event on. */
async function readNewest(
  analytics: Analytics,
  { from, where, limit }: SelectNewest,
  signal: AbortSignal | undefined,
): Promise<AuditRecord[]> {
  const [last] = await analytics.query<{ at: string | null }>(
    `select min("at") as "at" from (select "at" ${from} where ${where.sql} order by "at" desc limit ${limit})`,
    where.values,
    signal,
  );
  if (last === undefined || last.at === null) return [];
  const shown = every([where, { sql: '"at" >= ?', values: [last.at] }]);
  return analytics.query<AuditRecord>(
    `select ${columns} ${from} where ${shown.sql} order by "at" desc, "id" desc limit ${limit}`,
    shown.values,
    signal,
  );
}

const since = (moment: Date | null): Condition[] =>
  moment === null ? [] : [{ sql: '"at" >= ?', values: [recordTime(moment)] }];

const until = (moment: Date | null): Condition[] =>
  moment === null ? [] : [{ sql: '"at" < ?', values: [recordTime(moment)] }];

const isPresent = (path: string | undefined): path is string => path !== undefined;

function timeOf({ conditions, before }: NewestEvents): SearchedTime {
  const to = [conditions.to, before?.at ?? null].filter((time) => time !== null).toSorted()[0];
  return {
    from: conditions.from === null ? null : new Date(conditions.from),
    to: to === undefined ? null : new Date(to),
  };
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
