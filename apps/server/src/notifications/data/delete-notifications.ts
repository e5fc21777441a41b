import { and, eq } from 'drizzle-orm';
import type { NotificationKind } from '@deviceportal/contract/notifications';
import type { Transaction } from '../../platform/database/database.ts';
import { notification } from './notifications-tables.ts';

/** Takes back what was told about something: it can be told again. */
export async function deleteNotifications(
  tx: Transaction,
  about: { readonly kind: NotificationKind; readonly subject: string },
): Promise<void> {
  await tx
    .delete(notification)
    .where(and(eq(notification.subject, about.subject), eq(notification.kind, about.kind)));
}
