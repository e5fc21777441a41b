import { newId } from '@deviceportal/contract/ids';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { insertNotifications, type NewNotification } from './data/notification-queries.ts';

/** `subject`: identifies the event; a user is notified once of each: `run:…`. */
export type NotificationDraft = Omit<NewNotification, 'id'>;

/**
 * Notifies users in the transaction of the change, according to their preferences. A user is notified once of each
 * subject: retries, other servers, and restarts have no effect. Returns what to publish after commit.
 */
export async function notify(
  tx: Transaction,
  drafts: readonly NotificationDraft[],
): Promise<Change[]> {
  return notificationsChange(
    await insertNotifications(
      tx,
      drafts.map((draft) => ({ id: newId(), ...draft })),
    ),
  );
}

/** @param subjects `sub` of the users who have a new notification */
export function notificationsChange(subjects: readonly string[]): Change[] {
  return subjects.length === 0 ? [] : [{ kind: 'notifications', subjects }];
}
