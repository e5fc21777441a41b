import { sql, type SQL } from 'drizzle-orm';
import { holdsOnDevice } from '../notifications/find-people-holding.ts';

/**
 * Whether a user may still manage the device in the row `d`. People who are not on record here, such as the portal
 * itself, are not looked at.
 */
export const stillManages = (userId: SQL): SQL => sql`not exists (
  select from portal_user u where u.id = ${userId}
    and not (u.status = 'Activated' and ${holdsOnDevice(sql`u.id`, 'devices:manage')}))`;
