import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalNow } from '../../platform/columns.ts';
import { auditEvent } from './audit-trail-tables.ts';

/** The records of people that a user has exported within a day. */
export const recordsOfToday = (userId: string): SQL =>
  new QueryBuilder()
    .select({ one: sql`1` })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.type, 'people.record-exported'),
        eq(auditEvent.actorId, userId),
        gt(auditEvent.at, sql`${portalNow} - interval '1 day'`),
      ),
    )
    .getSQL();
