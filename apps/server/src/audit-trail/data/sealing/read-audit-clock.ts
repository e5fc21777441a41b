import { sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';

/** The clock that times events: the time of the statement, in the database. */
export async function readAuditClock(on: Executor): Promise<Date> {
  const [found] = await on
    .select({ ms: sql<number>`(extract(epoch from moment) * 1000)::float8` })
    .from(sql`audit_clock() as moment`);
  return new Date(found?.ms ?? Number.NaN);
}
