import { getTableColumns, sql } from 'drizzle-orm';
import { erasedUsers } from '../../access/data/erased-users.ts';
import type { Executor } from '../../platform/database/database.ts';
import { recordsOf } from '../../platform/database/records-of.ts';
import { apiCall } from './api-calls-tables.ts';

/** Columns that identify a user. */
const personal = ['username', 'address'] as const;
const others = (
  Object.keys(getTableColumns(apiCall)) as (keyof typeof apiCall.$inferSelect)[]
).filter((key) => !personal.some((each) => each === key));

/**
 * Inserts calls in one statement; calls that are already stored are skipped. A call can arrive after its user was
 * erased: then only the user ID is kept.
 *
 * @param calls each an `ApiCall` as JSON text
 */
export async function insertApiCalls(on: Executor, calls: readonly string[]): Promise<void> {
  if (calls.length === 0) return;
  const json = `[${calls.join()}]`;
  const { records } = recordsOf(apiCall, json);
  const { columns, values } = recordsOf(apiCall, json, others);
  const isErased = sql`${erasedUsers.userId} is not null`;
  await on.execute(sql`
    insert into ${apiCall} (${columns}, username, address)
    select ${values}, case when not (${isErased}) then record.username end,
      case when ${isErased} then '' else record.address end
    from ${records} left join ${erasedUsers} on ${erasedUsers.userId} = record."userId"
    on conflict do nothing`);
}
