import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';

/** Held by one transaction at a time, until it ends. */
export async function lockRollUp(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('device-metric-roll-up'))`);
}
