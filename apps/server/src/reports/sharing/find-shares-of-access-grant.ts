import type { MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import type { Executor } from '../../platform/database/database.ts';
import { isoOf } from '../../platform/moment-cursor.ts';
import { listSharesOfAccessGrant } from '../data/share-queries.ts';

const MOST = 200;

/** Links to reports that were created with temporary access, newest first. */
export async function findSharesOfAccessGrant(
  executor: Executor,
  accessGrantId: string,
): Promise<MadeByAccessGrant[]> {
  const rows = await listSharesOfAccessGrant(executor, accessGrantId, MOST);
  return rows.map((row) => ({ ...row, kind: 'report-share', at: isoOf(row.at) }));
}
