import type { NewApiToken, NewServiceToken } from '@deviceportal/contract/api-tokens';
import { newId } from '@deviceportal/contract/ids';
import { everywhere } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { loadHolder, requireHeldPermanently, requirePermanently } from '../access/roles/granter.ts';
import { serializeAccessChange } from '../access/serialize-access-change.ts';
import { requireRoles } from '../access/users/change-user-roles.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import type { ApiTokensDeps } from './api-tokens-deps.ts';
import { countedTokens, insertToken } from './data/api-token-queries.ts';
import { expiryOf } from './expiry-of.ts';
import { availableToTokens } from './limit-grants.ts';
import { recordApiToken, tokenActorOf } from './record-api-token.ts';
import { hashOfApiToken, newApiToken } from './token-format.ts';

/**
 * Creates a token of an application, with roles of its own. Of these, it has what is available to tokens, which the caller
 * must hold permanently. Of each role, it keeps what the role allows both at its creation and when it is used.
 * @throws PortalError 1000 for a permission that the caller does not hold; 2004 for a role that does not exist, roles
 * without a permission that is available to tokens, too many tokens, or a lifetime that is too long
 */
export function createServiceToken(
  deps: ApiTokensDeps,
  caller: Caller,
  { name, days, roleIds }: NewServiceToken,
): Promise<NewApiToken> {
  const expiresAt = expiryOf(deps, days);
  return serializeAccessChange(deps.database, async (tx) => {
    const holder = await loadHolder(tx, deps.directory, {
      subject: caller.viewer.subject,
      permission: 'api-tokens:manage',
    });
    requirePermanently(holder, 'api-tokens:manage');
    const roles = await requireRoles(tx, [...new Set(roleIds)]);
    const available = availableToTokens(roles);
    if (available.length === 0) throw refuse('api-token-without-permissions', { field: 'roleIds' });
    for (const grant of available) requireHeldPermanently(holder, grant);
    await requireRoom(tx, { limit: 'serviceTokens', of: '', existing: countedTokens(tx, null) });
    const token = { id: newId(), kind: 'service', name } as const;
    const secret = newApiToken('service');
    await insertToken(tx, {
      ...{ ...token, ownerId: null, createdById: holder.userId, expiresAt },
      ...{ permissions: [], scope: everywhere, roleIds: roles.map(({ id }) => id) },
      roleGrants: Object.fromEntries(
        roles.flatMap((role) => availableToTokens([role]).map((grant) => [role.id, grant])),
      ),
      tokenHash: hashOfApiToken(secret) ?? '',
    });
    await recordApiToken(tx, tokenActorOf(caller), {
      type: 'access.api-token-created',
      token,
      more: { roles: roles.map((role) => role.name), expiresAt },
    });
    return { id: token.id, token: secret, expiresAt: expiresAt.toISOString() };
  });
}
