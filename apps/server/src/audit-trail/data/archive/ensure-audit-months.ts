import { sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';

/**
 * Creates the partitions of this month and of the next two, and of months whose events are in none (after a backup was
 * restored). Returns how many.
 */
export async function ensureAuditMonths(on: Executor, at: Date): Promise<number> {
  const [found] = await on
    .select({ created: sql<number>`created` })
    .from(sql`ensure_audit_months(${at.toISOString()}::timestamptz) as created`);
  return found?.created ?? 0;
}
