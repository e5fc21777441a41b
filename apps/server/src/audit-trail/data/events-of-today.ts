import type { AuditType } from '@deviceportal/contract/audit-trail';
import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalNow } from '../../platform/columns.ts';
import { auditEvent } from './audit-trail-tables.ts';

/** A query of the events of one type that a user caused within a day. */
export const eventsOfToday = (type: AuditType, userId: string): SQL =>
  new QueryBuilder()
    .select({ one: sql`1` })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.type, type),
        eq(auditEvent.actorId, userId),
        gt(auditEvent.at, sql`${portalNow} - interval '1 day'`),
      ),
    )
    .getSQL();
