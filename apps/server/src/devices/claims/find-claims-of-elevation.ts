import type { MadeByElevation } from '@deviceportal/contract/elevations';
import type { Executor } from '../../platform/database/database.ts';
import { selectClaimsOfElevation } from '../data/enrollment/claim-queries.ts';

/** Claims that were made by temporary access, newest first. */
export async function findClaimsOfElevation(
  executor: Executor,
  elevationId: string,
): Promise<MadeByElevation[]> {
  const claims = await selectClaimsOfElevation(executor, elevationId);
  return claims.map((row) => ({ ...row, kind: 'claim', at: row.at.toISOString() }));
}
