import type { NotificationSetting } from '@deviceportal/contract/notifications';
import { recordSettings } from '../audit-trail/record-settings.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { lockSettings, upsertSetting } from './data/setting-queries.ts';
import { settingOf, type NotificationsDeps } from './read-notifications.ts';

/** Changes how the viewer is notified of one kind. Writes and records nothing if nothing changes. */
export async function saveSetting(
  { database }: Pick<NotificationsDeps, 'database'>,
  caller: Caller,
  { kind, portal, message }: NotificationSetting,
): Promise<void> {
  const { userId } = caller.viewer;
  await inTransaction(database, async (tx) => {
    const before = settingOf(await lockSettings(tx, userId), kind);
    if (before.portal === portal && before.message === message) return;
    await upsertSetting(tx, userId, { kind, portal, message });
    await recordSettings(tx, caller, 'settings.notification-changed', {
      kind,
      before: { portal: before.portal, message: before.message },
      after: { portal, message },
    });
  });
}
