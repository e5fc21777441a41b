import { sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { recordsOf } from '../../platform/database/records-of.ts';
import { apiCall } from './api-calls-tables.ts';

/**
 * One statement, however many calls. Calls that are already stored are skipped.
 *
 * @param calls each an `ApiCall` as JSON text
 */
export async function insertApiCalls(on: Executor, calls: readonly string[]): Promise<void> {
  if (calls.length === 0) return;
  const { columns, values, records } = recordsOf(apiCall, `[${calls.join()}]`);
  await on.execute(sql`
    insert into ${apiCall} (${columns}) select ${values} from ${records} on conflict do nothing`);
}
