import { sql } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';

/** Ends further statements of a transaction that take longer, in ms; 0 for no limit. */
export async function limitStatements(tx: Transaction, limitMs: number): Promise<void> {
  await tx.execute(sql`select set_config('statement_timeout', ${String(limitMs)}, true)`);
}
