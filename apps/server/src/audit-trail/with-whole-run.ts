import { areAlike } from '@deviceportal/contract/audit-folding';
import type { Executor } from '../platform/database/database.ts';
import type { MomentCursor } from '../platform/moment-cursor.ts';
import type { AuditQuery } from './data/search/audit-query.ts';
import { selectAuditEvents, type FoundEvents } from './select-audit-events.ts';

/** Longer groups continue on the next page. */
const MOST_MORE = 200;

/** Extends a page to the end of a group of repeated events, so that the group is shown as one. */
export async function withWholeRun(
  executor: Executor,
  found: FoundEvents,
  queryAfter: (place: MomentCursor) => AuditQuery,
): Promise<FoundEvents> {
  const last = found.events.at(-1);
  if (last === undefined || found.next === null || !found.complete || !areAlike(last, last))
    return found;
  const query = queryAfter(found.next);
  const more = await selectAuditEvents(executor, query, MOST_MORE);
  const other = more.events.findIndex((event) => !areAlike(last, event));
  if (other === 0 || more.events.length === 0) return found;
  const rest = other === -1 ? more : await selectAuditEvents(executor, query, other);
  return { ...rest, events: [...found.events, ...rest.events] };
}
