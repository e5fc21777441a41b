import type { CreatedClaim } from '@deviceportal/contract/devices';
import { newId } from '@deviceportal/contract/ids';
import { earlier } from '../../access/access-grants/find-required-access-grant.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import { insertClaim, openClaimsOf, type NewClaim } from '../data/enrollment/claim-queries.ts';
import { hashClaimToken, newClaimToken } from './claim-token.ts';

export type ClaimDraft = Omit<NewClaim, 'id' | 'tokenHash'>;

/** The response for a new claim. */
export type IssuedClaim = Pick<CreatedClaim, 'id' | 'token' | 'expiresAt' | 'bond'>;

/**
 * Stores a claim with the hash of its token and returns the token, which is not stored. It expires at the latest with
 * its temporary access.
 */
export async function issueClaim(tx: Transaction, draft: ClaimDraft): Promise<IssuedClaim> {
  const { bond, createdBy } = draft;
  const existing = openClaimsOf(createdBy);
  await requireRoom(tx, { limit: 'openClaims', of: createdBy, existing });
  const expiresAt = earlier(draft.expiresAt, bond);
  const id = newId();
  const token = newClaimToken();
  await insertClaim(tx, { ...draft, id, tokenHash: hashClaimToken(token), expiresAt });
  return { id, token, expiresAt: expiresAt.toISOString(), bond };
}

/** Facts for the audit trail: the claim, its expiry, and the temporary access. */
export const claimFacts = ({ id, expiresAt, bond }: IssuedClaim): Record<string, unknown> => ({
  claimId: id,
  expiresAt,
  ...(bond && { elevationId: bond.accessGrantId }),
});
