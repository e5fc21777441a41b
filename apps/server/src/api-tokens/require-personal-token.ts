import type { NewPersonalToken } from '@deviceportal/contract/api-tokens';
import { refuse } from '@deviceportal/contract/refuse';
import { loadHolder, requirePermanently, type Granter } from '../access/roles/granter.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { ApiTokensDeps } from './api-tokens-deps.ts';
import { countedTokens } from './data/api-token-queries.ts';
import { expiryOf } from './expiry-of.ts';
import { limitGrants } from './limit-grants.ts';

/**
 * Checks that a user can have a personal token now, with permissions that they hold permanently.
 * @throws PortalError 1000 for a permission that the user does not hold there; 2004 for too many tokens, or a lifetime
 * that is too long
 */
export async function requirePersonalToken(
  tx: Transaction,
  deps: ApiTokensDeps,
  {
    subject,
    wanted: { permissions, scope, days },
  }: { readonly subject: string; readonly wanted: NewPersonalToken },
): Promise<{ readonly holder: Granter; readonly expiresAt: Date }> {
  const expiresAt = expiryOf(deps, days);
  const holder = await loadHolder(tx, deps.directory, {
    ...{ subject, permission: 'api-tokens:create', outlastsSession: true },
  });
  requirePermanently(holder, 'api-tokens:create');
  const missing = permissions.filter(
    (permission) => limitGrants(holder.grants, { permissions: [permission], scope }).length === 0,
  );
  if (missing.length > 0) {
    throw refuse('permission-not-held', { facts: { permission: missing.slice(0, 5).join(', ') } });
  }
  const { userId } = holder;
  await requireRoom(tx, {
    ...{ limit: 'apiTokens', of: userId, existing: countedTokens(tx, userId) },
  });
  return { holder, expiresAt };
}
