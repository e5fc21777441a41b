import type { UserTables } from '../../personal-data/tables-of-users.ts';
import { deviceWait, notification, notificationSetting } from './notifications-tables.ts';

export const notificationsUserTables: UserTables = {
  json: [{ table: notification, json: notification.facts }],
  own: [
    {
      ...{ table: notification, id: notification.userId },
      along: [notification.at, notification.id],
    },
    { table: notificationSetting, id: notificationSetting.userId },
    { table: deviceWait, id: deviceWait.userId },
  ],
};
