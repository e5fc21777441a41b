import { sql } from 'drizzle-orm';
import {
  UNREAD_COUNTED,
  type Notification,
  type NotificationSetting,
} from '@deviceportal/contract/notifications';
import { holdUser } from '../access/data/hold-user.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import type { MomentCursor } from '../platform/moment-cursor.ts';

export interface FoundNotification extends Notification {
  readonly atText: string;
}

/** Newest first. */
export async function selectNotifications(
  on: Executor,
  page: { readonly userId: string; readonly after: MomentCursor | null; readonly limit: number },
): Promise<FoundNotification[]> {
  const { userId, after, limit } = page;
  const further =
    after === null ? sql`true` : sql`(at, id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await on.execute(sql`
    select id, kind, facts, at, at::text as "atText", read_at as "readAt" from notification
    where user_id = ${userId} and shown and ${further}
    order by at desc, id desc limit ${limit}`);
  return rows as unknown as FoundNotification[];
}

/** Counted to the most that is shown, and no further. */
export async function countUnread(on: Executor, userId: string): Promise<number> {
  const { rows } = await on.execute<{ count: number }>(sql`
    select count(*)::int as count from (
      select from notification where user_id = ${userId} and read_at is null and shown
      limit ${UNREAD_COUNTED + 1}) unread`);
  return rows[0]?.count ?? 0;
}

/** Whether any of them was unread. @param ids null for all */
export async function markRead(
  on: Executor,
  userId: string,
  ids: readonly string[] | null,
): Promise<boolean> {
  const which = ids === null ? sql`true` : sql`id = any(${sql.param([...ids])}::uuid[])`;
  const { rowCount } = await on.execute(sql`
    update notification set read_at = portal_now() where user_id = ${userId} and read_at is null and ${which}`);
  return (rowCount ?? 0) > 0;
}

export async function selectSettings(on: Executor, userId: string): Promise<NotificationSetting[]> {
  const { rows } = await on.execute(
    sql`select kind, portal, message from notification_setting where user_id = ${userId}`,
  );
  return rows as unknown as NotificationSetting[];
}

/** The same, where one of them is about to change: two windows of one person take turns. */
export async function lockSettings(
  tx: Transaction,
  userId: string,
): Promise<NotificationSetting[]> {
  await holdUser(tx, userId);
  return selectSettings(tx, userId);
}

export async function upsertSetting(
  on: Executor,
  userId: string,
  { kind, portal, message }: NotificationSetting,
): Promise<void> {
  await on.execute(sql`
    insert into notification_setting (user_id, kind, portal, message)
    values (${userId}, ${kind}, ${portal}, ${message})
    on conflict (user_id, kind) do update set portal = excluded.portal, message = excluded.message`);
}
