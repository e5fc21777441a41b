import { sql, type SQL } from 'drizzle-orm';
import { holdsOnDevice, personHolds } from '../notifications/find-people-holding.ts';

/** People who are not on record here, such as the portal itself, are not looked at. */
const isStill = (userId: SQL, holds: SQL): SQL => sql`not exists (
  select from portal_user u where u.id = ${userId} and not (u.status = 'Activated' and ${holds}))`;

/**
 * Whether a user may still manage a device.
 * @param device alias of a row with country, model and labels
 */
export const stillManages = (userId: SQL, device = sql`d`): SQL =>
  isStill(userId, holdsOnDevice(sql`u.id`, 'devices:manage', device));

/** Whether a user may still manage devices anywhere. */
export const stillManagesSome = (userId: SQL): SQL =>
  isStill(userId, personHolds('devices:manage'));
