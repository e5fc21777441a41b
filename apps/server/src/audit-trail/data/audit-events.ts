import { QueryBuilder } from 'drizzle-orm/pg-core';
import { auditEvent } from './audit-trail-tables.ts';

/** Recorded events, to be joined by `eventId` or looked up by device and time. */
export const auditEvents = new QueryBuilder()
  .select({
    eventId: auditEvent.id,
    at: auditEvent.at,
    deviceId: auditEvent.deviceId,
    runId: auditEvent.runId,
    type: auditEvent.type,
    actorKind: auditEvent.actorKind,
    actorId: auditEvent.actorId,
    actorName: auditEvent.actorName,
    data: auditEvent.data,
  })
  .from(auditEvent)
  .as('recorded_event');
