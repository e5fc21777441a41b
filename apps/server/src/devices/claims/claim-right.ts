import { sql } from 'drizzle-orm';
import { stillManages, stillManagesSome } from '../still-manages.ts';

const creator = sql`c.created_by_id`;

/**
 * Whether the claim in the row `c` has ended because its creator may no longer manage what it enrolls. Claims of an import
 * are for many devices, each of which is looked at when it enrolls: here their creator must manage some devices.
 */
export const hasLostRight = sql`(c.ended_at is not null or not (case
  when c.device_id is not null
    then exists (select from device d where d.id = c.device_id and ${stillManages(creator)})
  when c.only_recorded then ${stillManagesSome(creator)}
  else ${stillManages(creator, sql`c`)} end))`;
