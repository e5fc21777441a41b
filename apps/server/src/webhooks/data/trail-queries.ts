import { asc, eq, sql } from 'drizzle-orm';
import { auditEvents } from '../../audit-trail/data/audit-events.ts';
import { sealedEvents } from '../../audit-trail/data/sealed-events.ts';
import type { Executor } from '../../platform/database/database.ts';
import { arrayOf } from '../../platform/database/rows-of.ts';
import { sourceTypes, type TrailEvent } from '../event-sources.ts';

const { data } = auditEvents;

const fields = {
  id: auditEvents.eventId,
  type: auditEvents.type,
  at: auditEvents.at,
  deviceId: auditEvents.deviceId,
  runId: auditEvents.runId,
  invocationId: sql<string | null>`${data} ->> 'invocationId'`,
  caseId: sql<string | null>`${data} ->> 'caseId'`,
  alertId: sql<string | null>`${data} ->> 'alertId'`,
  importId: sql<string | null>`${data} ->> 'importId'`,
};

const toEvent = <Row extends { readonly at: Date }>({ at, ...row }: Row) => ({
  ...row,
  at: at.toISOString(),
});

/** Sealed entries that webhooks can send, among the next ones after a sequence, in the order of the trail. */
export async function readTrailAfter(
  on: Executor,
  after: number,
  limit: number,
): Promise<TrailEvent[]> {
  const sealed = sealedEvents(after, limit);
  const rows = await on
    .select({ sequence: sealed.sequence, ...fields })
    .from(sealed)
    .innerJoin(auditEvents, eq(auditEvents.eventId, sealed.eventId))
    .where(sql`${auditEvents.type} = any(${sql.param(sourceTypes)}::text[])`)
    .orderBy(asc(sealed.sequence));
  return rows.map(toEvent);
}

/** Entries by ID, in the order of the IDs; entries that were archived since are left out. */
export async function readEntries(on: Executor, ids: readonly string[]): Promise<TrailEvent[]> {
  const rows = await on
    .select(fields)
    .from(auditEvents)
    .where(sql`${auditEvents.eventId} = any(${arrayOf('uuid', ids)})`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id, position) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ sequence: position, ...toEvent(row) }];
  });
}
