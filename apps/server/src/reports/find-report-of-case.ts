import { sql } from 'drizzle-orm';
import type { Executor } from '../platform/database/database.ts';

/** The newest report of a case that was not given up; whether one may read it is asked where it is opened. */
export async function findReportOfCase(on: Executor, caseId: string): Promise<string | null> {
  const { rows } = await on.execute<{ id: string }>(sql`
    select id from report where case_id = ${caseId} and state not in ('cancelled', 'failed')
    order by created_at desc, id desc limit 1`);
  return rows[0]?.id ?? null;
}
