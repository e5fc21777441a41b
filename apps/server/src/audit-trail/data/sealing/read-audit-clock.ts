import { sql } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { selectList, selectRows } from '../../../platform/database/select-rows.ts';

const clockList = selectList({
  ms: sql<number>`(extract(epoch from audit_clock()) * 1000)::float8`,
});

/** The clock that times events: the time of the statement, in the database. */
export async function readAuditClock(on: Executor): Promise<Date> {
  const [found] = await selectRows(on, clockList, (list) => sql`select ${list}`);
  return new Date(found?.ms ?? Number.NaN);
}
