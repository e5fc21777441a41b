import { asc, eq } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { auditEvent, auditUnsealed } from '../audit-trail-tables.ts';

/** When the oldest event was recorded that is not sealed yet; null if all are. */
export async function oldestUnsealedAt(on: Executor): Promise<Date | null> {
  const [oldest] = await on
    .select({ at: auditEvent.at })
    .from(auditUnsealed)
    .innerJoin(auditEvent, eq(auditEvent.id, auditUnsealed.eventId))
    .orderBy(asc(auditUnsealed.eventId))
    .limit(1);
  return oldest?.at ?? null;
}
