import { and, eq } from 'drizzle-orm';
import type { NotificationKind } from '@deviceportal/contract/notifications';
import type { Transaction } from '../../platform/database/database.ts';
import { notification } from './notifications-tables.ts';

/** Deletes the notifications about a subject, so that its users can be notified again. */
export async function deleteNotifications(
  tx: Transaction,
  about: { readonly kind: NotificationKind; readonly subject: string },
): Promise<void> {
  await tx
    .delete(notification)
    .where(and(eq(notification.subject, about.subject), eq(notification.kind, about.kind)));
}
