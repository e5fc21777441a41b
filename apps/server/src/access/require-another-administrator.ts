import { ADMINISTRATOR } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../platform/database/database.ts';
import type { Granter } from './roles/granter.ts';
import { hasAdministrator, type HeldRole } from './data/user-role-queries.ts';

/**
 * Call before a user loses roles or their status: another active administrator must remain.
 * @throws PortalError 2004
 */
export async function requireAnotherAdministrator(
  tx: Transaction,
  granter: Granter,
  loses: { readonly userId: string; readonly roles: readonly HeldRole[] },
): Promise<void> {
  if (!loses.roles.some(({ name }) => name === ADMINISTRATOR)) return;
  if (granter.isAdministrator || (await hasAdministrator(tx, loses.userId))) return;
  throw refuse('last-administrator', { field: 'id' });
}
