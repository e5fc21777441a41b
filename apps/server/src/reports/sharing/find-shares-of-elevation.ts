import { sql } from 'drizzle-orm';
import type { MadeByElevation } from '@deviceportal/contract/elevations';
import { elevationRuns } from '../../access/data/elevation-bonds.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';

const MOST = 200;

/** Links to reports that were made by temporary access, newest first. */
export async function findSharesOfElevation(
  executor: Executor,
  elevationId: string,
): Promise<MadeByElevation[]> {
  const { rows } = await executor.execute<
    Omit<MadeByElevation, 'kind'> & Record<string, unknown>
  >(sql`
    select s.id, s.report_id::text as name, s.created_at as at,
      s.ended_at is null and s.expires_at > portal_now() and ${elevationRuns(sql`s.elevation_id`)} as "inForce"
    from report_share s where s.elevation_id = ${elevationId} order by s.created_at desc, s.id desc limit ${MOST}`);
  return rows.map((row) => ({ ...row, kind: 'report-share', at: isoOf(row.at) }));
}
