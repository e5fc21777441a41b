import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { auditEvent } from './audit-trail-tables.ts';

/** ID of the first event after a time that announces an audit key. */
export async function findKeyAnnouncement(
  on: Executor,
  { publicKey, after }: { readonly publicKey: string; readonly after: Date },
): Promise<string | undefined> {
  const [found] = await on
    .select({ id: auditEvent.id })
    .from(auditEvent)
    .where(
      and(
        eq(auditEvent.type, 'audit-trail.key-announced'),
        eq(sql`${auditEvent.data} ->> 'publicKey'`, publicKey),
        gt(auditEvent.at, after),
      ),
    )
    .orderBy(asc(auditEvent.id))
    .limit(1);
  return found?.id;
}
