import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import { PortalError } from '@deviceportal/contract/errors';
import { ADMINISTRATOR, holds, type Grant } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import type { UserDirectory } from '../users/user-directory.ts';
import { findRoleGrant } from '../data/role-queries.ts';
import { isScimConnectionActive } from '../data/scim/scim-connection-queries.ts';
import { findUserBySubject } from '../data/user-queries.ts';

/** A user who changes access, with their current grants. */
export interface Granter {
  readonly userId: string;
  /** Permanent grants: the ones that the user can assign. */
  readonly grants: readonly Grant[];
  /** Permanent and temporary grants: sufficient to remove, not to assign. */
  readonly reach: readonly Grant[];
  /** Permanently. */
  readonly isAdministrator: boolean;
}

/**
 * Reads the caller's grants inside the serialized change, because an earlier change may have removed them.
 * @throws PortalError 1000 if they can no longer change access
 */
export async function loadGranter(
  tx: Transaction,
  directory: UserDirectory,
  { viewer }: Caller,
): Promise<Granter> {
  if (viewer.service !== undefined) return loadServiceGranter(tx, viewer.service);
  const user = await findUserBySubject(tx, viewer.subject);
  const isMember =
    directory.administration === undefined
      ? user?.inAdminGroup === true
      : (await directory.administration.groupsOf(viewer.subject)).includes(ADMIN_GROUP);
  const byGroup = isMember ? await findRoleGrant(tx, ADMINISTRATOR) : undefined;
  const grants = [...(byGroup ? [byGroup] : []), ...(user?.grants ?? [])];
  const reach = [...grants, ...(user?.temporary ?? [])];
  if (user?.status !== 'Activated' || !holds(reach, 'access:manage')) {
    throw new PortalError('noPermission', { facts: { permission: 'access:manage' } });
  }
  const isAdministrator = isMember || user.roles.includes(ADMINISTRATOR);
  return { userId: user.id, grants, reach, isAdministrator };
}

/**
 * A directory decides who works here, so its connection can suspend and restore everybody; it assigns only the roles of
 * the connection. The server itself applies what a user with these rights has decided before.
 * @throws PortalError 1000 if the connection has ended
 */
async function loadServiceGranter(
  tx: Transaction,
  { kind, id }: NonNullable<Viewer['service']>,
): Promise<Granter> {
  const all = await findRoleGrant(tx, ADMINISTRATOR);
  const isActive = kind === 'server' || (await isScimConnectionActive(tx, id));
  if (all === undefined || !isActive) {
    throw new PortalError('noPermission', { facts: { permission: 'access:manage' } });
  }
  return { userId: id, grants: [all], reach: [all], isAdministrator: false };
}

/**
 * A user can assign only permissions that they hold permanently, within their own scope, and not by temporary
 * `access:manage`, because assignments are permanent.
 * @throws PortalError 1000 with the missing permissions
 */
export function requireCanAssign(granter: Granter, wanted: Grant): void {
  requirePermanentManager(granter);
  requireWithin(granter.grants, wanted);
}

/**
 * Admitting a user is permanent, so temporary access is not sufficient.
 * @throws PortalError 1000
 */
export function requirePermanentManager({ grants }: Granter): void {
  if (holds(grants, 'access:manage')) return;
  throw refuse('outlasts-temporary-access', { facts: { permission: 'access:manage' } });
}

/**
 * A user can remove or change only permissions that they have, permanently or temporarily.
 * @throws PortalError 1000 with the missing permissions
 */
export function requireCanRemove({ reach }: Granter, wanted: Grant): void {
  requireWithin(reach, wanted);
}

function requireWithin(held: readonly Grant[], wanted: Grant): void {
  const beyond = permissionsBeyond(held, wanted);
  if (beyond.length === 0) return;
  throw refuse('permission-not-held', { facts: { permission: beyond.slice(0, 5).join(', ') } });
}

/**
 * Users cannot change their own access, neither to extend it nor to lock themselves out by mistake.
 * @throws PortalError 1000
 */
export function requireOtherUser({ userId }: Granter, changed: string): void {
  if (userId === changed) throw ownAccess();
}

export const ownAccess = (): PortalError =>
  refuse('own-access', { facts: { permission: 'access:manage' } });
