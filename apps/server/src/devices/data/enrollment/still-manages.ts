import type { SQL, SQLWrapper } from 'drizzle-orm';
import {
  hasPermissionOnDevice,
  isActiveUserWhere,
  userHasPermission,
} from '../../../access/data/users-with-permission.ts';
import type { ScopedColumns } from '../device-scope-condition.ts';

/** Whether a user can still manage a device, given a row with country, model, and labels. */
export const stillManages = (userId: SQLWrapper, device: ScopedColumns): SQL =>
  isActiveUserWhere(userId, (id) => hasPermissionOnDevice(id, 'devices:manage', device));

/** Whether a user can still manage devices in any scope. */
export const stillManagesSome = (userId: SQLWrapper): SQL =>
  isActiveUserWhere(userId, (id) => userHasPermission(id, 'devices:manage'));
