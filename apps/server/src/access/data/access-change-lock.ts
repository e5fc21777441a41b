import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';

/** Serializes changes of access on all servers until the transaction ends. */
export async function lockAccessChanges(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('change-access'))`);
}
