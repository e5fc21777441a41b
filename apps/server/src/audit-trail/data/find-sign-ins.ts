import { and, asc, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { openNames } from '../open-personal-fields.ts';
import { auditEvent } from './audit-trail-tables.ts';

const MOST_SIGN_INS = 1_000;

/** Sign-ins of a user since a time, with their addresses; the oldest first. */
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
