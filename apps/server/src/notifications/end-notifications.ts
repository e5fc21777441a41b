import { sql } from 'drizzle-orm';
import type { NotificationKind } from '@deviceportal/contract/notifications';
import type { Transaction } from '../platform/database/database.ts';

/** What waited for any one of several people waits no longer: nobody is asked for it any more. */
export async function endNotifications(
  tx: Transaction,
  about: { readonly kind: NotificationKind; readonly subject: string },
): Promise<void> {
  await tx.execute(sql`
    update notification set read_at = portal_now(), message = case message when 'wanted' then 'none' else message end
    where subject = ${about.subject} and kind = ${about.kind} and read_at is null`);
}
