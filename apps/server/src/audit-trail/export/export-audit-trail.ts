import type { z } from 'zod';
import type {
  AuditEvent,
  AuditExport,
  exportAuditTrailInput,
} from '@deviceportal/contract/audit-trail';
import { refuse } from '@deviceportal/contract/refuse';
import { inTransaction } from '../../platform/database/database.ts';
import { ConcurrencyLimit } from '../../platform/growth-limits/concurrency-limit.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import { holderOf } from '../../platform/person-links.ts';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import { eventsOfToday } from '../data/events-of-today.ts';
import { auditQuery } from '../data/search/audit-query.ts';
import { auditSightOf, type AuditSight } from '../audit-sight.ts';
import { hideErasedMatches } from '../hide-erased-matches.ts';
import { findSealedMatches } from '../find-sealed-matches.ts';
import type { AuditTrailDeps } from '../audit-trail-deps.ts';
import { actorOf, recordAudit } from '../record-audit.ts';
import { selectAuditEvents } from '../select-audit-events.ts';
import { writeAuditFiles } from './write-audit-files.ts';

export interface ExportAuditTrail extends z.infer<typeof exportAuditTrailInput> {
  readonly origin: RequestOrigin;
  readonly signal?: AbortSignal | undefined;
}

const ROWS_AT_ONCE = 2_000;
const MAX_ROWS = 500_000;

/** Each reads up to half a million events and writes as many lines. */
const exporting = new ConcurrencyLimit({ each: 1, all: 3, waiting: 50, maxWaitMs: 20_000 });

/**
 * Writes exactly what the filter finds into a file, with a manifest beside it (filter, count, time, exporter, sha256) and
 * a proof that can be checked without the portal.
 * The export is itself an audit event.
 *
 * @throws PortalError 2004 for more than 500,000 events, or more exports than one person makes in a day
 */
export function exportAuditTrail(
  deps: AuditTrailDeps,
  viewer: Viewer,
  input: ExportAuditTrail,
): Promise<AuditExport> {
  return exporting.run(viewer.userId, async () => {
    const existing = eventsOfToday('audit-trail.exported', viewer.userId);
    const room = { limit: 'auditExports', of: viewer.userId, existing } as const;
    await inTransaction(deps.database, (tx) => requireRoom(tx, room));
    return makeExport(deps, viewer, input);
  });
}

async function makeExport(
  deps: AuditTrailDeps,
  viewer: Viewer,
  input: ExportAuditTrail,
): Promise<AuditExport> {
  const createdAt = deps.clock();
  const sight = auditSightOf(viewer, 'audit-trail:export');
  const { fileName, manifestName, proofName, count, sha256 } = await writeAuditFiles(
    { ...deps, files: deps.exportFiles },
    viewer,
    {
      ...{ format: input.format, filter: input.filter, createdAt, sight },
      events: eventsOf(deps, sight, input),
      tooMany: () => refuse('too-many-events', eventLimit),
      limit: MAX_ROWS,
    },
  );
  await inTransaction(deps.database, (tx) =>
    recordAudit(tx, [
      {
        type: 'audit-trail.exported',
        actor: actorOf(viewer, input.origin),
        requestId: input.origin.requestId,
        // An export that names a device out of sight leaves nothing in that device's trail.
        deviceId: count === 0 ? null : input.filter.deviceId,
        at: createdAt,
        data: {
          file: fileName,
          format: input.format,
          filter: recordedFilter(input),
          count,
          sha256,
        },
      },
    ]),
  );
  return {
    downloadUrl: deps.signExportUrl(fileName, holderOf(viewer)),
    manifestUrl: deps.signExportUrl(manifestName, holderOf(viewer)),
    proofUrl: deps.signExportUrl(proofName, holderOf(viewer)),
    proofName,
    fileName,
    count,
    sha256,
    createdAt: createdAt.toISOString(),
    createdBy: viewer.username,
  };
}

/** What was searched for may name a person: only that it was, is recorded. The manifest has it until it is deleted. */
function recordedFilter({ filter: { text, address, ...filter } }: ExportAuditTrail) {
  return { ...filter, hasText: text !== '', hasAddress: address !== null };
}

const eventLimit = { field: ['filter', 'range'], facts: { limit: MAX_ROWS } };

/** As they are: what the viewer may not see is still in them. */
async function* eventsOf(
  { database }: AuditTrailDeps,
  sight: AuditSight,
  { filter, signal }: ExportAuditTrail,
): AsyncGenerator<readonly AuditEvent[]> {
  const sealed = await findSealedMatches(database.orm, filter, sight);
  let after: MomentCursor | null = null;
  do {
    signal?.throwIfAborted();
    const found = await selectAuditEvents(
      database.orm,
      auditQuery(filter, sight, after, { sealed }),
      ROWS_AT_ONCE,
    );
    yield hideErasedMatches(found.events, filter.text);
    after = found.next;
  } while (after !== null);
}
