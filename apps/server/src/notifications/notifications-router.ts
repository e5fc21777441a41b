import {
  deviceWaitInput,
  deviceWaitReference,
  listNotificationsInput,
  markNotificationsReadInput,
  notificationSettingSchema,
  type Notification,
  type NotificationSetting,
} from '@deviceportal/contract/notifications';
import type { Page } from '@deviceportal/contract/pages';
import { permitted, router } from '../platform/api.ts';
import { countUnread } from './data/notification-queries.ts';
import {
  getNotificationSettings,
  listNotifications,
  readNotifications,
  type NotificationsDeps,
} from './read-notifications.ts';
import { saveSetting } from './save-setting.ts';
import { isWaitingForDevice, waitForDevice } from './wait-for-device.ts';

/** All procedures access only the viewer's own notifications. */
export function createNotificationsRouter(deps: NotificationsDeps) {
  return router({
    list: permitted('signed-in')
      .input(listNotificationsInput)
      .query(({ ctx, input }): Promise<Page<Notification>> =>
        listNotifications(deps, ctx.viewer, input),
      ),
    countUnread: permitted('signed-in').query(({ ctx }): Promise<number> =>
      countUnread(deps.database.orm, ctx.viewer.userId),
    ),
    markRead: permitted('signed-in')
      .input(markNotificationsReadInput)
      .mutation(({ ctx, input }): Promise<void> => readNotifications(deps, ctx.viewer, input.ids)),
    getSettings: permitted('signed-in').query(({ ctx }): Promise<readonly NotificationSetting[]> =>
      getNotificationSettings(deps, ctx.viewer),
    ),
    saveSetting: permitted('signed-in')
      .input(notificationSettingSchema)
      .mutation(({ ctx, input }): Promise<void> => saveSetting(deps, ctx, input)),
    waitForDevice: permitted('devices:read')
      .input(deviceWaitInput)
      .mutation(({ ctx, input }): Promise<void> => waitForDevice(deps, ctx.viewer, input)),
    isWaitingForDevice: permitted('devices:read')
      .input(deviceWaitReference)
      .query(({ ctx, input }): Promise<boolean> =>
        isWaitingForDevice(deps, ctx.viewer, input.deviceId),
      ),
  });
}
