import { eq } from 'drizzle-orm';
import type { NotificationSetting } from '@deviceportal/contract/notifications';
import { lockUser } from '../../access/data/lock-user.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { notificationSetting } from './notifications-tables.ts';

export async function selectSettings(on: Executor, userId: string): Promise<NotificationSetting[]> {
  const { kind, portal, message } = notificationSetting;
  return on
    .select({ kind, portal, message })
    .from(notificationSetting)
    .where(eq(notificationSetting.userId, userId));
}

/** Locks the preferences, so that changes of one user are made one after the other. */
export async function lockSettings(
  tx: Transaction,
  userId: string,
): Promise<NotificationSetting[]> {
  await lockUser(tx, userId);
  return selectSettings(tx, userId);
}

export async function upsertSetting(
  on: Executor,
  userId: string,
  { kind, portal, message }: NotificationSetting,
): Promise<void> {
  await on
    .insert(notificationSetting)
    .values({ userId, kind, portal, message })
    .onConflictDoUpdate({
      target: [notificationSetting.userId, notificationSetting.kind],
      set: { portal, message },
    });
}
