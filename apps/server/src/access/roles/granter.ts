import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import { PortalError } from '@deviceportal/contract/errors';
import { ADMINISTRATOR, holds, type Grant } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { UserDirectory } from '../users/user-directory.ts';
import { findRoleGrant } from '../data/role-queries.ts';
import { findUserBySubject } from '../data/user-queries.ts';

/** Somebody who changes who may do what, with what they hold at this very moment. */
export interface Granter {
  readonly userId: string;
  /** What they hold for good, and so can give. */
  readonly grants: readonly Grant[];
  /** The same with what they hold for a time: enough to take, and not to give. */
  readonly reach: readonly Grant[];
  /** For good. */
  readonly isAdministrator: boolean;
}

/**
 * Reads inside of the turn what the caller holds now: another turn may have taken it while this one waited.
 * @throws PortalError 1000 when they may no longer change access
 */
export async function loadGranter(
  tx: Transaction,
  directory: UserDirectory,
  { viewer }: Caller,
): Promise<Granter> {
  const user = await findUserBySubject(tx, viewer.subject);
  const isMember =
    directory.administration === undefined
      ? user?.inAdminGroup === true
      : (await directory.administration.groupsOf(viewer.subject)).includes(ADMIN_GROUP);
  const byGroup = isMember ? await findRoleGrant(tx, ADMINISTRATOR) : undefined;
  const grants = [...(byGroup ? [byGroup] : []), ...(user?.grants ?? [])];
  const reach = [...grants, ...(user?.lent ?? [])];
  if (user?.status !== 'Activated' || !holds(reach, 'access:manage')) {
    throw new PortalError('noPermission', { facts: { permission: 'access:manage' } });
  }
  const isAdministrator = isMember || user.roles.includes(ADMINISTRATOR);
  return { userId: user.id, grants, reach, isAdministrator };
}

/**
 * Nobody gives what they do not hold for good themselves, nor beyond where it reaches for them, nor by the right to
 * change access that they hold for a time: what is given stays.
 * @throws PortalError 1000 naming what they lack
 */
export function requireMayGive(granter: Granter, wanted: Grant): void {
  requireLastingManager(granter);
  requireWithin(granter.grants, wanted);
}

/**
 * Whom somebody lets in stays: temporary access is not enough.
 * @throws PortalError 1000
 */
export function requireLastingManager({ grants }: Granter): void {
  if (holds(grants, 'access:manage')) return;
  throw refuse('outlasts-temporary-access', { facts: { permission: 'access:manage' } });
}

/**
 * Nobody takes or changes what they do not hold themselves, be it for a time.
 * @throws PortalError 1000 naming what they lack
 */
export function requireMayTake({ reach }: Granter, wanted: Grant): void {
  requireWithin(reach, wanted);
}

function requireWithin(held: readonly Grant[], wanted: Grant): void {
  const beyond = permissionsBeyond(held, wanted);
  if (beyond.length === 0) return;
  throw refuse('permission-not-held', { facts: { permission: beyond.slice(0, 5).join(', ') } });
}

/**
 * Nobody raises themselves, nor locks themselves out by mistake: somebody else does it.
 * @throws PortalError 1000
 */
export function requireSomebodyElse({ userId }: Granter, changed: string): void {
  if (userId === changed) throw ownAccess();
}

export const ownAccess = (): PortalError =>
  refuse('own-access', { facts: { permission: 'access:manage' } });
