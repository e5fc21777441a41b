import type { z } from 'zod';
import type { AuditPage, listAuditEventsInput } from '@deviceportal/contract/audit-trail';
import { findDevicesNamed } from '../devices/data/search/find-devices-named.ts';
import type { Database } from '../platform/database/database.ts';
import {
  decodeMomentCursor,
  encodeMomentCursor,
  isoOf,
  type MomentCursor,
} from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { auditSightOf, maskEvent } from './audit-sight.ts';
import { findArchiveFiles } from './data/archive/archive-file-queries.ts';
import { auditQuery } from './data/search/audit-query.ts';
import { findSealedMatches } from './find-sealed-matches.ts';
import { selectAuditEvents } from './select-audit-events.ts';
import { hideErasedMatches } from './hide-erased-matches.ts';
import { withWholeRun } from './with-whole-run.ts';

/**
 * Events in the viewer's scope, newest first. Viewers with a limited scope see only events of their devices. `complete` is
 * false if a filter without an index reached its limit of events.
 */
export async function listAuditEvents(
  { database }: { readonly database: Database },
  viewer: Viewer,
  input: Omit<z.infer<typeof listAuditEventsInput>, 'whole'> & { readonly whole?: boolean },
): Promise<AuditPage> {
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const [sealed, deviceIds] = await Promise.all([
    findSealedMatches(database.orm, input.filter, sight),
    findDevicesNamed(database.orm, input.filter.text),
  ]);
  const queryAfter = (place: MomentCursor | null) =>
    auditQuery(input.filter, sight, place, { sealed, deviceIds });
  const query = queryAfter(decodeMomentCursor(input.cursor));
  const page = await selectAuditEvents(database.orm, query, input.pageSize);
  const { events, next, complete } =
    input.whole === true ? await withWholeRun(database.orm, page, queryAfter) : page;
  return {
    rows: hideErasedMatches(events, input.filter.text).map((event) => maskEvent(event, sight)),
    nextCursor: next === null ? null : encodeMomentCursor(next),
    complete,
    // Needed only on the last page.
    archivedUntil: next === null ? await newestArchived(database, input.filter) : null,
    searchedTo: complete || next === null ? null : isoOf(next.at),
  };
}

async function newestArchived(
  { orm }: Database,
  { range }: z.infer<typeof listAuditEventsInput>['filter'],
): Promise<string | null> {
  const [newest] = await findArchiveFiles(orm, range);
  return newest?.lastAt.toISOString() ?? null;
}
