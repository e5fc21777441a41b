import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import { lockToken, markTokenRevoked } from './data/api-token-queries.ts';
import { recordApiToken, tokenActorOf } from './record-api-token.ts';

/**
 * Ends a token whose role a review of access removes. The roles of a token cannot be changed, so it ends as a whole.
 * @returns false if it had ended before
 */
export async function revokeReviewedToken(
  tx: Transaction,
  caller: Caller,
  id: string,
): Promise<boolean> {
  const token = await lockToken(tx, id);
  if (token === undefined) return false;
  await markTokenRevoked(tx, id);
  await recordApiToken(tx, tokenActorOf(caller), {
    ...{ type: 'access.api-token-revoked', token, more: { reason: 'access-review' } },
  });
  return true;
}
