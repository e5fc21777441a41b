import { and, eq, inArray, isNull, lt, not, sql } from 'drizzle-orm';
import { isHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { terminalEvent, terminalSession } from './terminal-tables.ts';

/** Deletes the output of some sessions that were opened before and are under no legal hold. Returns the number of sessions. */
export async function deleteSomeRecordings(
  tx: Transaction,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const { openedAt } = terminalSession;
  const rows = await tx
    .select({ id: terminalSession.id })
    .from(terminalSession)
    .where(
      and(
        eq(terminalSession.state, 'ended'),
        isNull(terminalSession.expiredAt),
        lt(terminalSession.openedAt, sql`${portalNow} - make_interval(days => ${days})`),
        not(
          isHeld({ device: terminalSession.deviceId, user: terminalSession.userId, at: openedAt }),
        ),
      ),
    )
    .limit(limit)
    .for('update');
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return 0;
  await tx.delete(terminalEvent).where(inArray(terminalEvent.sessionId, ids));
  await tx
    .update(terminalSession)
    .set({ expiredAt: portalNow })
    .where(inArray(terminalSession.id, ids));
  return ids.length;
}
