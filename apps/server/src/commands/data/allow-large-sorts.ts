import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';

/** Sorts of this transaction stay in memory, up to 64 MB each, instead of files. */
export async function allowLargeSorts(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local work_mem = '64MB'`);
}
