import type { z } from 'zod';
import type {
  ArchivedAuditPage,
  AuditFilter,
  listAuditEventsInput,
} from '@deviceportal/contract/audit-trail';
import { refuse } from '@deviceportal/contract/refuse';
import type { Database } from '../../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../../platform/keyset-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { auditSightOf, maskEvent, type AuditSight } from '../audit-sight.ts';
import { findArchiveFiles } from '../data/archive/archive-file-queries.ts';
import { auditQuery } from '../data/search/audit-query.ts';
import { typesWithResult } from '../data/search/result-condition.ts';
import type { SealedMatches } from '../data/search/text-condition.ts';
import { findSealedMatches } from '../find-sealed-matches.ts';
import { selectArchivedEvents } from '../select-audit-events.ts';
import { hideErasedMatches } from '../hide-erased-matches.ts';
import { recordTime } from './history/record-time.ts';
import type {
  ArchivedRecords,
  EventConditions,
  EventPosition,
  HistoryPort,
} from './history/history-port.ts';

/** How many events of files are read for one page; a page that finds fewer contains the time that it reached. */
const WALK_LIMIT = 5_000;
/** Most conditions are checked in the files, so that most pages are full with as many events as they have rows. */
const WALK_GROWTH = 10;

/** UTC with microseconds. */
const RECORD_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

export interface HistorySources {
  readonly database: Database;
  readonly history: HistoryPort;
}

interface Search {
  readonly input: Omit<z.infer<typeof listAuditEventsInput>, 'whole'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Archived events, newest first. Conditions on the event itself are checked in the files, conditions that need devices or
 * people (scope, names, text) in the database. Months with a missing file are listed.
 */
export async function listArchivedEvents(
  sources: HistorySources,
  viewer: Viewer,
  search: Search,
): Promise<ArchivedAuditPage> {
  const { orm } = sources.database;
  const { filter, pageSize } = search.input;
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const sealed = await findSealedMatches(orm, filter, sight);
  const { residual, targetsInSight } = auditQuery(filter, sight, null, {
    everywhere: true,
    sealed,
  });
  for (let limit = pageSize + 1; ; limit = Math.min(limit * WALK_GROWTH, WALK_LIMIT)) {
    const found = await readNewest(sources, { ...search, limit }, { ...sight, sealed });
    const { records: walked, gaps } = found;
    const query = { walked, residual, targetsInSight, pageSize };
    const { events, lastId } = await selectArchivedEvents(orm, query);
    const isFull = walked.length === limit;
    if (lastId === null && isFull && limit < WALK_LIMIT) continue;
    const end =
      lastId === null ? endOf(found, isFull) : (walked.find((each) => each.id === lastId) ?? null);
    const complete = lastId !== null || end === null;
    return {
      rows: hideErasedMatches(events, filter.text).map((event) => maskEvent(event, sight)),
      nextCursor: end === null ? null : encodeCursor([end.at, end.id]),
      complete,
      searchedTo: complete ? null : (end?.at ?? null),
      gaps,
    };
  }
}

/** Where a search ended that did not fill its page; null if it ended with the archive. */
function endOf({ records, readTo }: ArchivedRecords, isFull: boolean): EventPosition | null {
  if (isFull) return records.at(-1) ?? null;
  // No ID is before the empty one.
  return readTo === null ? null : { at: readTo, id: '' };
}

async function readNewest(
  { database, history }: HistorySources,
  { input, limit, signal }: Search & { readonly limit: number },
  sight: Pick<AuditSight, 'seesPeople'> & { readonly sealed: SealedMatches },
): Promise<ArchivedRecords> {
  const { filter, cursor } = input;
  if (filter.address !== null && !sight.seesPeople) return { records: [], gaps: [], readTo: null };
  const before = positionOf(cursor);
  const files = await findArchiveFiles(database.orm, filter.range);
  const conditions = conditionsOf(filter, sight.sealed);
  return history.newestEvents({ files, conditions, before, limit }, signal);
}

/** @throws PortalError 2004 for a cursor that no page returned */
function positionOf(cursor: string | null): EventPosition | null {
  if (cursor === null) return null;
  const [at = '', id = ''] = decodeCursor(cursor, 2);
  if (RECORD_TIME.test(at) && !Number.isNaN(Date.parse(at)) && id.length <= 128) return { at, id };
  throw refuse('cursor-invalid', { field: 'cursor' });
}

/** The conditions that are checked in the files. */
const conditionsOf = (
  { range, types, address, ...filter }: AuditFilter,
  { addresses }: SealedMatches,
): EventConditions => ({
  from: range.from && recordTime(new Date(range.from)),
  to: range.to && recordTime(new Date(range.to)),
  deviceId: filter.deviceId,
  actorId: filter.actorId,
  actorKind: filter.actorKind,
  requestId: filter.requestId,
  runId: filter.runId,
  caseId: filter.caseId,
  addresses: address === null ? null : [address, ...addresses],
  types,
  typesWithResult: filter.result === null ? null : typesWithResult(filter.result),
});
