import type { MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { listSchedulesOfAccessGrant } from '../data/schedule-queries.ts';

const MAX_SCHEDULES = 200;

/** Schedules created by temporary access, newest first. */
export async function findSchedulesOfAccessGrant(
  executor: Executor,
  accessGrantId: string,
): Promise<MadeByAccessGrant[]> {
  const rows = await listSchedulesOfAccessGrant(executor, accessGrantId, MAX_SCHEDULES);
  return rows.map((row) => ({ ...row, kind: 'schedule', at: isoOf(row.at) }));
}
