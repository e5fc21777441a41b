import type { MadeByAccessGrant } from '@deviceportal/contract/access-grants';
import type { Executor } from '../../platform/database/database.ts';
import { selectClaimsOfAccessGrant } from '../data/enrollment/claim-queries.ts';

/** Claims created by temporary access, newest first. */
export async function findClaimsOfAccessGrant(
  executor: Executor,
  accessGrantId: string,
): Promise<MadeByAccessGrant[]> {
  const claims = await selectClaimsOfAccessGrant(executor, accessGrantId);
  return claims.map((row) => ({ ...row, kind: 'claim', at: row.at.toISOString() }));
}
