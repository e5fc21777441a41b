import { sql } from 'drizzle-orm';
import type { Database } from '../platform/database/database.ts';

/**
 * Makes the parts of `audit_event` for this month and the next two, and for months whose events lie outside of any
 * (after a backup was read back). Answers how many.
 */
export async function ensureAuditMonths(
  { database }: { readonly database: Database },
  at: Date,
): Promise<number> {
  const { rows } = await database.orm.execute(
    sql`select ensure_audit_months(${at.toISOString()}::timestamptz) as made`,
  );
  return (rows[0] as { made: number }).made;
}
