import { sql, type SQL } from 'drizzle-orm';
import { holdsOnDevice, isStill, personHolds } from '../access/data/people-holding.ts';

/**
 * Whether a user may still manage a device.
 * @param device alias of a row with country, model and labels
 */
export const stillManages = (userId: SQL, device = sql`d`): SQL =>
  isStill(userId, (id) => holdsOnDevice(id, 'devices:manage', device));

/** Whether a user may still manage devices anywhere. */
export const stillManagesSome = (userId: SQL): SQL =>
  isStill(userId, (id) => personHolds(id, 'devices:manage'));
