import { and, asc, eq, gt, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { openNames } from '../open-personal-fields.ts';
import { auditEvent } from './audit-trail-tables.ts';

const MOST_SIGN_INS = 1_000;

/** What a user did on the last day, of one type: for limits of growth. */
export const doneLately = (type: AuditType, userId: string): SQL =>
  new QueryBuilder()
    .select({ id: auditEvent.id })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.type, type),
        eq(auditEvent.actorId, userId),
        gt(auditEvent.at, sql`${portalNow} - interval '1 day'`),
      ),
    )
    .getSQL();

/** From where a user signed in since a moment, the oldest first. */
export async function findSignIns(
  on: Executor,
  userId: string,
  since: Date,
): Promise<{ readonly at: string; readonly address: string | null }[]> {
  const signIns = await on
    .select({
      at: sql<string>`coalesce(${auditEvent.data}->>'occurredAt', ${auditEvent.at}::text)`,
      address: auditEvent.actorAddress,
    })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.actorKind, 'user'),
        eq(auditEvent.actorId, userId),
        eq(auditEvent.type, 'access.signed-in'),
        sql`${auditEvent.at} >= ${since.toISOString()}::timestamptz - interval '1 second'`,
      ),
    )
    .orderBy(asc(auditEvent.at))
    .limit(MOST_SIGN_INS);
  const textOf = (address: string | null) => ({ text: address ?? '', userId });
  const shown = await openNames(
    on,
    signIns.map(({ address }) => textOf(address)),
  );
  return signIns.map(({ at, address }) => ({ at, address: address && shown(textOf(address)) }));
}
