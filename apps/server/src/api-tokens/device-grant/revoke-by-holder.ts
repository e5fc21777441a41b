import { serviceActorName } from '@deviceportal/contract/service-actor-name';
import { findUsername } from '../../access/data/find-username.ts';
import type { AuditActorDraft } from '../../audit-trail/audit-draft.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { RequestOrigin } from '../../platform/viewer.ts';
import type { ApiTokensDeps } from '../api-tokens-deps.ts';
import { lockTokenByHash, markTokenRevoked, type StoredToken } from '../data/api-token-queries.ts';
import { recordApiToken } from '../record-api-token.ts';
import { hashOfApiToken } from '../token-format.ts';

/**
 * Ends a token for an application that has it, such as at its sign-out (RFC 7009).
 * @returns false for a token that does not exist or has ended
 */
export async function revokeByHolder(
  { database }: Pick<ApiTokensDeps, 'database'>,
  text: string,
  { address, requestId }: RequestOrigin,
): Promise<boolean> {
  const tokenHash = hashOfApiToken(text);
  if (tokenHash === undefined) return false;
  return inTransaction(database, async (tx) => {
    const token = await lockTokenByHash(tx, tokenHash);
    if (token === undefined) return false;
    await markTokenRevoked(tx, token.id);
    const actor = { ...(await actorOf(tx, token)), address };
    await recordApiToken(
      tx,
      { actor, requestId },
      { type: 'access.api-token-revoked', token, more: { reason: 'revoked-by-holder' } },
    );
    return true;
  });
}

async function actorOf(
  tx: Transaction,
  { id, name, ownerId }: StoredToken,
): Promise<Omit<AuditActorDraft, 'address'>> {
  const byToken = { id, name };
  if (ownerId === null) return { kind: 'system', id, name: serviceActorName(name), byToken };
  return { kind: 'user', id: ownerId, name: (await findUsername(tx, ownerId)) ?? '', byToken };
}
