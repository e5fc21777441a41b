import { auditFilterSchema, type AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Database } from '../platform/database/database.ts';
import type { MomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { auditSightOf, maskEvent } from './audit-sight.ts';
import { auditQuery } from './data/search/audit-query.ts';
import { selectAuditEvents } from './select-audit-events.ts';

export interface EventsWanted {
  readonly deviceId: string | null;
  /** A portal user. */
  readonly actorId?: string;
  readonly types?: readonly string[];
  readonly from: string | null;
  readonly to: string;
  readonly limit: number;
}

const ROWS_AT_ONCE = 2_000;

/** Events of a device or a user in a time range and in the viewer's scope, newest first. */
export async function readEvents(
  { database }: { readonly database: Database },
  viewer: Viewer,
  wanted: EventsWanted,
): Promise<AuditEvent[]> {
  const sight = auditSightOf(viewer, 'audit-trail:read');
  const filter = auditFilterSchema.parse({
    deviceId: wanted.deviceId,
    actorId: wanted.actorId ?? null,
    types: wanted.types ?? [],
    range: { from: wanted.from, to: wanted.to },
  });
  const events: AuditEvent[] = [];
  let after: MomentCursor | null = null;
  do {
    const found = await selectAuditEvents(
      database.orm,
      auditQuery(filter, sight, after),
      Math.min(ROWS_AT_ONCE, wanted.limit - events.length),
    );
    events.push(...found.events.map((event) => maskEvent(event, sight)));
    after = found.next;
  } while (after !== null && events.length < wanted.limit);
  return events;
}
