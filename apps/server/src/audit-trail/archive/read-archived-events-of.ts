import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Database } from '../../platform/database/database.ts';
import { findArchiveFiles } from '../data/archive/archive-file-queries.ts';
import { selectArchivedEvents } from '../select-audit-events.ts';
import type { HistorySources } from './list-archived-events.ts';

const OPENED_AT_ONCE = 1_000;

export interface ArchivedEventsOf {
  readonly pages: AsyncGenerator<readonly AuditEvent[]>;
  /** Months whose files are gone, once the pages are read. */
  readonly gaps: readonly string[];
}

/** What a user did in archived months, the newest month first. */
export async function readArchivedEventsOf(
  { database, history }: HistorySources,
  userId: string,
  signal?: AbortSignal,
): Promise<ArchivedEventsOf> {
  const files = await findArchiveFiles(database.orm, { from: null, to: null });
  const { pages, gaps } = history.eventsOfUser({ files, userId }, signal);
  return { gaps, pages: openPages(database, pages, signal) };
}

async function* openPages(
  { orm }: Database,
  pages: AsyncIterable<readonly AuditRecord[]>,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly AuditEvent[]> {
  for await (const records of pages) {
    for (let at = 0; at < records.length; at += OPENED_AT_ONCE) {
      signal?.throwIfAborted();
      const walked = records.slice(at, at + OPENED_AT_ONCE);
      const query = { walked, residual: [], targetsInSight: null, pageSize: walked.length };
      yield (await selectArchivedEvents(orm, query)).events;
    }
  }
}
