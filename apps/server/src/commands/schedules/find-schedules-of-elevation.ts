import type { MadeByElevation } from '@deviceportal/contract/elevations';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { listSchedulesOfElevation } from '../data/schedule-queries.ts';

const MOST = 200;

/** Schedules that were made by temporary access, newest first. */
export async function findSchedulesOfElevation(
  executor: Executor,
  elevationId: string,
): Promise<MadeByElevation[]> {
  const rows = await listSchedulesOfElevation(executor, elevationId, MOST);
  return rows.map((row) => ({ ...row, kind: 'schedule', at: isoOf(row.at) }));
}
