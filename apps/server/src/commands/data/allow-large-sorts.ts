import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';

/** Lets this transaction sort up to 64 MB in memory instead of in temporary files. */
export async function allowLargeSorts(tx: Transaction): Promise<void> {
  await tx.execute(sql`set local work_mem = '64MB'`);
}
