import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { AuditEvent } from '@deviceportal/contract/audit-trail';
import type { Executor } from '../platform/database/database.ts';
import { isoOf, type MomentCursor } from '../platform/moment-cursor.ts';
import type { AuditQuery } from './data/search/audit-query.ts';
import { findAmongRecords, findEvents, type FoundEvent } from './data/search/event-queries.ts';
import { openPersonalFields } from './open-personal-fields.ts';

export interface FoundEvents {
  readonly events: readonly AuditEvent[];
  /** Where the next page begins; null if there are no older events. */
  readonly next: MomentCursor | null;
  /** False if the walk ended before the page was full and before the time range ended. */
  readonly complete: boolean;
}

/** The events of a page, newest first. */
export async function selectAuditEvents(
  executor: Executor,
  query: AuditQuery,
  pageSize: number,
): Promise<FoundEvents> {
  const { events: found, end } = await findEvents(executor, query, pageSize + 1);
  const page = found.slice(0, pageSize);
  const events = await openPersonalFields(executor, page.map(eventOf));
  const last = page.at(-1);
  if (found.length > pageSize && last !== undefined) {
    return { events, next: { at: last.atText, id: last.id }, complete: true };
  }
  return { events, next: end, complete: end === null };
}

/** Events that were read from files and meet the conditions; `lastId` is set if there may be more. */
export async function selectArchivedEvents(
  executor: Executor,
  query: Pick<AuditQuery, 'residual' | 'targetsInSight'> & {
    readonly walked: readonly AuditRecord[];
    readonly pageSize: number;
  },
): Promise<{ readonly events: readonly AuditEvent[]; readonly lastId: string | null }> {
  const { walked, pageSize } = query;
  const found = await findAmongRecords(executor, walked, { ...query, limit: pageSize + 1 });
  const page = found.slice(0, pageSize);
  const events = await openPersonalFields(executor, page.map(eventOf));
  return { events, lastId: found.length > pageSize ? (page.at(-1)?.id ?? null) : null };
}

function eventOf(found: FoundEvent): AuditEvent {
  const { atText: _atText, actorKind, actorId, actorName, actorAddress, ...event } = found;
  return {
    ...event,
    at: isoOf(event.at),
    actor: { kind: actorKind, id: actorId, name: actorName, address: actorAddress },
  };
}
