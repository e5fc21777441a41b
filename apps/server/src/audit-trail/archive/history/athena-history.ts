import { recordFields, type AuditRecord } from '@deviceportal/audit-proof/audit-record';
import { refuse } from '@deviceportal/contract/refuse';
import type { AthenaRow, RunAthenaQuery } from '../../../platform/aws/aws-package.ts';
import { answerOf } from '../../../platform/aws/answer-of.ts';
import { s3ErrorName } from '../../../platform/files/s3-error.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { unavailable } from '../../../platform/unavailable.ts';
import type { ArchivePeriod } from '../../data/archive/archive-file-queries.ts';
import { MONTH_COLUMN, nameOfTable, type ArchiveTable } from './archive-table.ts';
import type { ArchivedRecords, EventsOfUser, HistoryPort, NewestEvents } from './history-port.ts';
import { findPresentFiles } from './present-files.ts';
import { monthsApart, newestFirst } from './period-batches.ts';
import {
  conditionsOfNewest,
  conditionsOfUser,
  every,
  isIn,
  type Condition,
} from './record-conditions.ts';

/** Each is a parameter, and a query is limited to 262,144 bytes (Service Quotas of Amazon Athena). */
const MOST_ADDRESSES = 500;

export interface AthenaHistoryOptions {
  readonly runQuery: RunAthenaQuery;
  readonly table: ArchiveTable;
  /** The files of the table, by the same keys. */
  readonly files: Pick<FileStore, 'find'>;
  /** How long a query may run. */
  readonly limitMs: number;
}

/** Questions on archived months, answered by Athena from files in S3. */
export function createAthenaHistory(options: AthenaHistoryOptions): HistoryPort {
  return {
    newestEvents: (question, signal) => findNewest(options, question, signal),
    eventsOfUser(question, signal) {
      const gaps: string[] = [];
      return { gaps, pages: readPages(options, question, { gaps, signal }) };
    },
  };
}

/** Newer months are asked first, and older ones only if those have too few events: what is read is paid for. */
async function findNewest(
  options: AthenaHistoryOptions,
  question: NewestEvents,
  signal: AbortSignal | undefined,
): Promise<ArchivedRecords> {
  const { before, limit, conditions } = question;
  if ((conditions.addresses?.length ?? 0) > MOST_ADDRESSES)
    throw refuse('too-many-people', { field: 'address', facts: { limit: MOST_ADDRESSES } });
  const { present, gaps } = await findPresentFiles(options.files, question.files);
  const last = before === null ? Infinity : Date.parse(before.at);
  const files = present.filter(({ firstAt }) => firstAt.getTime() <= last);
  const records: AuditRecord[] = [];
  for (const batch of newestFirst(files)) {
    const where = every([isInFiles(options, batch), conditionsOfNewest(question)]);
    const rest = `order by "at" desc, "id" desc limit ${limit - records.length}`;
    for await (const page of select(options, { where, rest, signal })) records.push(...page);
    if (records.length >= limit) break;
  }
  return { records, gaps, readTo: null };
}

async function* readPages(
  options: AthenaHistoryOptions,
  question: EventsOfUser,
  { gaps, signal }: { readonly gaps: string[]; readonly signal: AbortSignal | undefined },
): AsyncGenerator<readonly AuditRecord[]> {
  const found = await findPresentFiles(options.files, question.files);
  gaps.push(...found.gaps);
  for (const batch of monthsApart(found.present)) {
    const where = every([isInFiles(options, batch), conditionsOfUser(question)]);
    const rest = `order by "${MONTH_COLUMN}" desc, "id"`;
    yield* select(options, { where, rest, signal });
  }
}

/** A month's folder can also have a file that an interrupted archiving left. */
function isInFiles({ table }: AthenaHistoryOptions, batch: readonly ArchivePeriod[]): Condition {
  return every([
    isIn(`"${MONTH_COLUMN}"`, [...new Set(batch.map(({ month }) => month))]),
    isIn(
      '"$path"',
      batch.map(({ file }) => table.location + file),
    ),
  ]);
}

interface Selection {
  readonly where: Condition;
  readonly rest: string;
  readonly signal: AbortSignal | undefined;
}

async function* select(
  { runQuery, table, limitMs }: AthenaHistoryOptions,
  { where, rest, signal }: Selection,
): AsyncGenerator<AuditRecord[]> {
  const columns = recordFields.map((field) => `"${field}"`).join(', ');
  const sql = `select ${columns} from ${nameOfTable(table)} where ${where.sql} ${rest}`;
  try {
    const outcome = await runQuery({ sql, values: where.values, limitMs }, signal);
    if (outcome.ended === 'too-slow')
      throw refuse('archive-search-too-slow', { facts: { seconds: limitMs / 1_000 } });
    if (outcome.ended === 'too-much-data') throw refuse('archive-search-too-large');
    if (outcome.ended !== 'succeeded')
      throw unavailable({ detail: `the query of archived months failed: ${outcome.reason}` });
    for await (const page of outcome.pages) yield page.map(recordOf);
  } catch (error) {
    // Errors of all AWS clients have the same form.
    if (s3ErrorName(error) === undefined) throw error;
    throw unavailable({ detail: `Athena answered ${answerOf(error)}`, cause: error });
  }
}

const recordOf = (row: AthenaRow): AuditRecord =>
  Object.fromEntries(
    recordFields.map((field, index) => [field, row[index] ?? null]),
  ) as unknown as AuditRecord;
