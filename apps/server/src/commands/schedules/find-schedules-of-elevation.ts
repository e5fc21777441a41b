import { sql } from 'drizzle-orm';
import type { MadeByElevation } from '@deviceportal/contract/elevations';
import { elevationRuns } from '../../access/data/elevation-bonds.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';

const MOST = 200;

/** Schedules that were made by temporary access, newest first. */
export async function findSchedulesOfElevation(
  executor: Executor,
  elevationId: string,
): Promise<MadeByElevation[]> {
  const { rows } = await executor.execute<
    Omit<MadeByElevation, 'kind'> & Record<string, unknown>
  >(sql`
    select s.id, s.name, s.created_at as at,
      s.state <> 'done' and ${elevationRuns(sql`s.elevation_id`)} as "inForce"
    from run_schedule s where s.elevation_id = ${elevationId} order by s.created_at desc, s.id desc limit ${MOST}`);
  return rows.map((row) => ({ ...row, kind: 'schedule', at: isoOf(row.at) }));
}
