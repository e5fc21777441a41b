import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { auditEvents } from './audit-events.ts';
import { sealedEvents } from './sealed-events.ts';

/** The devices of the next events of the trail that have one of the types, and the position of the last event. */
export async function readChangedDevices(
  on: Executor,
  piece: { readonly after: number; readonly limit: number; readonly types: readonly string[] },
): Promise<{
  readonly upTo: number;
  readonly deviceIds: readonly string[];
  readonly full: boolean;
}> {
  const events = sealedEvents(piece.after, piece.limit);
  const sealed = on
    .$with('sealed')
    .as(on.select({ sequence: events.sequence, eventId: events.eventId }).from(events));
  const { eventId, deviceId, type } = auditEvents;
  const changed = on
    .select({ ids: sql`array_agg(distinct ${deviceId})` })
    .from(sealed)
    .innerJoin(auditEvents, eq(eventId, sealed.eventId))
    .where(and(isNotNull(deviceId), sql`${type} = any(${sql.param([...piece.types])}::text[])`));
  const [found] = await on
    .with(sealed)
    .select({
      upTo: sql<number | null>`max(${sealed.sequence})`,
      count: sql<number>`count(*)::int`,
      deviceIds: sql<string[] | null>`${changed}`,
    })
    .from(sealed);
  return {
    upTo: found?.upTo ?? piece.after,
    deviceIds: found?.deviceIds ?? [],
    full: found?.count === piece.limit,
  };
}
