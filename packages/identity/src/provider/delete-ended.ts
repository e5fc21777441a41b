import { deleteEndedCodes } from '../codes/code-store.ts';
import type { Queryable } from '../database/in-transaction.ts';

const TABLES = ['provider_session', 'provider_ticket'] as const;

/** Deletes sign-ins, codes and tickets that ended before that. */
export async function deleteEnded(db: Queryable, before: Date): Promise<void> {
  await deleteEndedCodes(db, before);
  for (const table of TABLES) {
    await db.query(`delete from identity.${table} where expires_at < $1`, [before]);
  }
}
