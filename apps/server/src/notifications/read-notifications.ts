import type { z } from 'zod';
import {
  notificationKinds,
  type listNotificationsInput,
  type Notification,
  type NotificationSetting,
} from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { holds } from '@deviceportal/contract/permissions';
import type { ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import {
  decodeMomentCursor,
  encodeMomentCursor,
  isoOf,
  isoOrNull,
} from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { maskFacts } from './mask-facts.ts';
import { markRead, selectNotifications } from './data/notification-queries.ts';
import { selectSettings } from './data/setting-queries.ts';
import { notificationsChange } from './notify.ts';

export interface NotificationsDeps {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly clock: () => Date;
}

/** The viewer's notifications, newest first. */
export async function listNotifications(
  { database }: NotificationsDeps,
  viewer: Viewer,
  input: z.infer<typeof listNotificationsInput>,
): Promise<Page<Notification>> {
  const found = await selectNotifications(database.orm, {
    userId: viewer.userId,
    after: decodeMomentCursor(input.cursor),
    limit: input.pageSize + 1,
  });
  const reader = {
    readsPeople: holds(viewer.grants, 'people:read'),
    own: [viewer.username, viewer.displayName],
  };
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ atText: _text, ...one }) => ({
      ...one,
      facts: maskFacts(one.facts, reader),
      at: isoOf(one.at),
      readAt: isoOrNull(one.readAt),
    })),
    nextCursor: last === undefined ? null : encodeMomentCursor({ at: last.atText, id: last.id }),
  };
}

/** Marks notifications as read on every open client of the viewer. @param ids null for all */
export async function readNotifications(
  { database, changes }: NotificationsDeps,
  viewer: Viewer,
  ids: readonly string[] | null,
): Promise<void> {
  if (await markRead(database.orm, viewer.userId, ids))
    changes.publish(notificationsChange([viewer.subject]));
}

/** The viewer's preferences for each kind; the default is in the portal only. */
export async function getNotificationSettings(
  { database }: NotificationsDeps,
  viewer: Viewer,
): Promise<readonly NotificationSetting[]> {
  const own = await selectSettings(database.orm, viewer.userId);
  return notificationKinds.map((kind) => settingOf(own, kind));
}

export const settingOf = (
  own: readonly NotificationSetting[],
  kind: NotificationSetting['kind'],
): NotificationSetting =>
  own.find((one) => one.kind === kind) ?? { kind, portal: true, message: false };
