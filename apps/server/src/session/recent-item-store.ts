import { sql } from 'drizzle-orm';
import type { RecentItem } from '@deviceportal/contract/session';
import type { Executor } from '../platform/database/database.ts';

const KEPT_ITEMS = 20;

export async function rememberItem(
  executor: Executor,
  userId: string,
  item: Omit<RecentItem, 'at'>,
): Promise<void> {
  await executor.execute(sql`
    insert into recent_item (user_id, kind, item_id, label, at)
    values (${userId}, ${item.kind}, ${item.id}, ${item.label}, portal_now())
    on conflict (user_id, kind, item_id) do update set label = excluded.label, at = excluded.at`);
  await executor.execute(sql`
    delete from recent_item where user_id = ${userId} and (kind, item_id) in
      (select kind, item_id from recent_item where user_id = ${userId}
       order by at desc offset ${KEPT_ITEMS})`);
}

export async function listRecentItems(executor: Executor, userId: string): Promise<RecentItem[]> {
  const { rows } = await executor.execute<Record<string, never>>(sql`
    select kind, item_id as id, label,
           to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from recent_item where user_id = ${userId} order by recent_item.at desc limit ${KEPT_ITEMS}`);
  return rows as unknown as RecentItem[];
}
