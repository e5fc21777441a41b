import {
  auditFilterSchema,
  type AuditEvent,
  type AuditFilter,
} from '@deviceportal/contract/audit-trail';
import type { Database } from '../platform/database/database.ts';
import type { MomentCursor } from '../platform/moment-cursor.ts';
import type { AuditSight } from './audit-sight.ts';
import { auditQuery } from './data/search/audit-query.ts';
import { selectAuditEvents } from './select-audit-events.ts';

const ROWS_AT_ONCE = 2_000;

/** Events in sight that match, newest first, unmasked: at most this number of them. */
export async function collectEvents(
  { database }: { readonly database: Database },
  sight: AuditSight,
  { filter, limit }: { readonly filter: Partial<AuditFilter>; readonly limit: number },
): Promise<AuditEvent[]> {
  const wanted = auditFilterSchema.parse(filter);
  const events: AuditEvent[] = [];
  let after: MomentCursor | null = null;
  do {
    const found = await selectAuditEvents(
      database.orm,
      auditQuery(wanted, sight, after),
      Math.min(ROWS_AT_ONCE, limit - events.length),
    );
    events.push(...found.events);
    after = found.next;
  } while (after !== null && events.length < limit);
  return events;
}
