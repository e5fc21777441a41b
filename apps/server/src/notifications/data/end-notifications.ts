import { and, eq, isNull, sql } from 'drizzle-orm';
import type { NotificationKind } from '@deviceportal/contract/notifications';
import { portalNow } from '../../platform/columns.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { notification } from './notifications-tables.ts';

/** Marks a request to several users as read once it is done. */
export async function endNotifications(
  tx: Transaction,
  about: { readonly kind: NotificationKind; readonly subject: string },
): Promise<void> {
  const { message } = notification;
  await tx
    .update(notification)
    .set({
      readAt: portalNow,
      message: sql`case ${message} when 'wanted' then 'none' else ${message} end`,
    })
    .where(
      and(
        eq(notification.subject, about.subject),
        eq(notification.kind, about.kind),
        isNull(notification.readAt),
      ),
    );
}
