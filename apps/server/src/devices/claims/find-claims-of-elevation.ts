import { sql } from 'drizzle-orm';
import type { MadeByElevation } from '@deviceportal/contract/elevations';
import { elevationRuns } from '../../access/data/elevation-bonds.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { hasLostRight } from './claim-right.ts';

const MOST = 200;

/** Claims that were made by temporary access, newest first. */
export async function findClaimsOfElevation(
  executor: Executor,
  elevationId: string,
): Promise<MadeByElevation[]> {
  const { rows } = await executor.execute<
    Omit<MadeByElevation, 'kind'> & Record<string, unknown>
  >(sql`
    select c.id, coalesce(nullif(d.name, ''), d.serial_number, c.model, '') as name, c.created_at as at,
      c.uses_left > 0 and c.expires_at > portal_now() and ${elevationRuns(sql`c.elevation_id`)}
        and not ${hasLostRight} as "inForce"
    from claim c left join device d on d.id = c.device_id
    where c.elevation_id = ${elevationId} order by c.created_at desc, c.id desc limit ${MOST}`);
  return rows.map((row) => ({ ...row, kind: 'claim', at: isoOf(row.at) }));
}
