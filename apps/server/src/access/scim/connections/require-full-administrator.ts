import { ADMINISTRATOR } from '@deviceportal/contract/permissions';
import type { Transaction } from '../../../platform/database/database.ts';
import type { Caller } from '../../../platform/viewer.ts';
import type { AccessDeps } from '../../access-deps.ts';
import { findRoleGrant } from '../../data/role-queries.ts';
import { loadGranter, requireCanAssign } from '../../roles/granter.ts';

/**
 * A connection can suspend and restore everybody, so only a permanent administrator without a limited scope creates
 * and changes one.
 * @throws PortalError 1000
 */
export async function requireFullAdministrator(
  tx: Transaction,
  { directory }: Pick<AccessDeps, 'directory'>,
  caller: Caller,
): Promise<void> {
  const granter = await loadGranter(tx, directory, caller);
  const all = await findRoleGrant(tx, ADMINISTRATOR);
  if (all === undefined) throw new Error('the administrator role is missing');
  requireCanAssign(granter, all);
}
