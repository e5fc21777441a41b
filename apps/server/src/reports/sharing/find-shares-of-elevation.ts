import type { MadeByElevation } from '@deviceportal/contract/elevations';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { listSharesOfElevation } from '../data/share-queries.ts';

const MOST = 200;

/** Links to reports that were made by temporary access, newest first. */
export async function findSharesOfElevation(
  executor: Executor,
  elevationId: string,
): Promise<MadeByElevation[]> {
  const rows = await listSharesOfElevation(executor, elevationId, MOST);
  return rows.map((row) => ({ ...row, kind: 'report-share', at: isoOf(row.at) }));
}
