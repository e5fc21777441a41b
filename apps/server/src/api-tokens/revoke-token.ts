import { PortalError } from '@deviceportal/contract/errors';
import { holds } from '@deviceportal/contract/permissions';
import { findUsername } from '../access/data/find-username.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { ApiTokensDeps } from './api-tokens-deps.ts';
import { lockToken, markTokenRevoked } from './data/api-token-queries.ts';
import { recordApiToken, tokenActorOf } from './record-api-token.ts';

/**
 * Ends a token: its next request is rejected. Users end their own tokens, administrators all.
 * @throws PortalError 2003 for a token that does not exist, has ended, or is not the caller's
 */
export async function revokeToken(
  { database }: Pick<ApiTokensDeps, 'database'>,
  caller: Caller,
  { id }: { readonly id: string },
): Promise<void> {
  const { userId, grants } = caller.viewer;
  await inTransaction(database, async (tx) => {
    const token = await lockToken(tx, id);
    const isOwn = token?.ownerId === userId;
    if (token === undefined || !(isOwn || holds(grants, 'api-tokens:manage'))) {
      throw new PortalError('notFound', { facts: { id } });
    }
    await markTokenRevoked(tx, id);
    const { ownerId } = token;
    const username = ownerId === null || isOwn ? undefined : await findUsername(tx, ownerId);
    await recordApiToken(tx, tokenActorOf(caller), {
      type: 'access.api-token-revoked',
      token,
      ...(username !== undefined && { more: { userId: ownerId, username } }),
    });
  });
}
