import { newId } from '@deviceportal/contract/ids';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import { insertNotifications, type NewNotification } from './data/notification-queries.ts';

/** `subject`: what it is about, by which a user is notified of it once: `run:…`. */
export type NotificationDraft = Omit<NewNotification, 'id'>;

/**
 * Notifies users, in the transaction of the fact and as each of them has set it. A user is notified once of each
 * subject: a retry, another server or a restart changes nothing. Returns what to publish after commit.
 */
export async function notify(
  tx: Transaction,
  drafts: readonly NotificationDraft[],
): Promise<Change[]> {
  return toldChange(
    await insertNotifications(
      tx,
      drafts.map((draft) => ({ id: newId(), ...draft })),
    ),
  );
}

/** @param subjects `sub` of the users who have a new notification */
export function toldChange(subjects: readonly string[]): Change[] {
  return subjects.length === 0 ? [] : [{ kind: 'notifications', subjects }];
}
