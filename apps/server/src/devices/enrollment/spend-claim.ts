import { refuse } from '@deviceportal/contract/refuse';
import { lockRunningAccessGrant } from '../../access/access-grants/find-required-access-grant.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { hashClaimToken } from '../claims/claim-token.ts';
import { spendUse, type SpentClaim } from '../data/enrollment/claim-queries.ts';

/**
 * Spends a use of the claim with this token. Its row is locked until the transaction ends.
 *
 * @throws PortalError noPermission if the token is unknown, used up, or expired
 */
export async function spendClaim(tx: Transaction, token: string, now: Date): Promise<SpentClaim> {
  const claim = await spendUse(tx, hashClaimToken(token), now);
  const isInForce =
    claim !== undefined &&
    (claim.accessGrantId === null || (await lockRunningAccessGrant(tx, claim.accessGrantId)));
  if (!isInForce) throw refuse('claim-not-in-force');
  return claim;
}
