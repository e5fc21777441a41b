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
import type { SealedMatches } from '../data/search/text-condition.ts';
import { findSealedMatches } from '../find-sealed-matches.ts';
import { selectArchivedEvents } from '../select-audit-events.ts';
import { hideErasedMatches } from '../hide-erased-matches.ts';
import type {
  ArchivedRecords,
  EventConditions,
  EventPosition,
  HistoryPort,
} from './history/history-port.ts';

/** How many events of files are read for one page; a page that finds fewer contains the time that it reached. */
const WALK_LIMIT = 5_000;

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
  const { records: walked, gaps } = await readNewest(sources, search, { ...sight, sealed });
  const { residual, targetsInSight } = auditQuery(filter, sight, null, {
    everywhere: true,
    sealed,
  });
  const { events, lastId } = await selectArchivedEvents(orm, {
    walked,
    residual,
    targetsInSight,
    pageSize,
  });
  const isFull = walked.length === WALK_LIMIT;
  const end =
    lastId === null
      ? isFull
        ? walked.at(-1)
        : undefined
      : walked.find((each) => each.id === lastId);
  return {
    rows: hideErasedMatches(events, filter.text).map((event) => maskEvent(event, sight)),
    nextCursor: end === undefined ? null : encodeCursor([end.at, end.id]),
    complete: lastId !== null || !isFull,
    searchedTo: lastId === null && isFull ? (walked.at(-1)?.at ?? null) : null,
    gaps,
  };
}

async function readNewest(
  { database, history }: HistorySources,
  { input, signal }: Search,
  sight: Pick<AuditSight, 'seesPeople'> & { readonly sealed: SealedMatches },
): Promise<ArchivedRecords> {
  const { filter, cursor } = input;
  if (filter.address !== null && !sight.seesPeople) return { records: [], gaps: [] };
  const before = positionOf(cursor);
  const files = await findArchiveFiles(database.orm, filter.range);
  const conditions = conditionsOf(filter, sight.sealed);
  return history.newestEvents({ files, conditions, before, limit: WALK_LIMIT }, signal);
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
  from: range.from && recordTime(range.from),
  to: range.to && recordTime(range.to),
  deviceId: filter.deviceId,
  actorId: filter.actorId,
  actorKind: filter.actorKind,
  requestId: filter.requestId,
  runId: filter.runId,
  caseId: filter.caseId,
  addresses: address === null ? null : [address, ...addresses],
  types,
});

const recordTime = (value: string): string => `${new Date(value).toISOString().slice(0, -1)}000Z`;
