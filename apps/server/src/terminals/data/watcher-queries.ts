import { and, asc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { terminalWatcher } from './terminal-tables.ts';

type WatcherRow = typeof terminalWatcher.$inferSelect;

/** Without a server that holds it for this time, a user does not watch any more. */
const HELD_SECONDS = 10;
export const heldSince = sql`${portalNow} - make_interval(secs => ${HELD_SECONDS})`;

/** Usernames of those who watch a session, in the order in which they began. */
export async function listWatchers(on: Executor, sessionId: string): Promise<string[]> {
  const { username, joinedAt, seenAt, id } = terminalWatcher;
  const rows = await on
    .select({ username })
    .from(terminalWatcher)
    .where(and(eq(terminalWatcher.sessionId, sessionId), gt(seenAt, heldSince)))
    .orderBy(asc(joinedAt), asc(id));
  return rows.map((row) => row.username);
}

export async function insertWatcher(
  tx: Transaction,
  row: Pick<WatcherRow, 'id' | 'sessionId' | 'userId' | 'username'>,
): Promise<void> {
  await tx.insert(terminalWatcher).values(row);
}

/** False if the session has forgotten this user. */
export async function touchWatcher(on: Executor, id: string): Promise<boolean> {
  const { rowCount } = await on
    .update(terminalWatcher)
    .set({ seenAt: portalNow })
    .where(eq(terminalWatcher.id, id));
  return rowCount === 1;
}

export async function deleteWatcher(on: Executor, id: string): Promise<void> {
  await on.delete(terminalWatcher).where(eq(terminalWatcher.id, id));
}

/** Deletes those whose server has stopped. */
export async function deleteLostWatchers(on: Executor): Promise<void> {
  const lost = on
    .select({ id: terminalWatcher.id })
    .from(terminalWatcher)
    .where(lt(terminalWatcher.seenAt, heldSince))
    .for('update', { skipLocked: true });
  await on.delete(terminalWatcher).where(inArray(terminalWatcher.id, lost));
}
