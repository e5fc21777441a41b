import { ADMIN_GROUP } from '@deviceportal/contract/constants';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import { PortalError } from '@deviceportal/contract/errors';
import {
  ADMINISTRATOR,
  holds,
  type Grant,
  type Permission,
} from '@deviceportal/contract/permissions';
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
  return loadHolder(tx, directory, { subject: viewer.subject, permission: 'access:manage' });
}

interface HolderQuery {
  readonly subject: string;
  readonly permission: Permission;
  /** Ignores groups at an external provider, which are known only from sessions. Default: false. */
  readonly outlastsSession?: boolean;
}

/**
 * The current grants of a user who passes rights on, read inside the change.
 * @throws PortalError 1000 without the permission
 */
export async function loadHolder(
  tx: Transaction,
  directory: UserDirectory,
  { subject, permission, outlastsSession = false }: HolderQuery,
): Promise<Granter> {
  const user = await findUserBySubject(tx, subject);
  const isMember =
    directory.administration === undefined
      ? !outlastsSession && user?.inAdminGroup === true
      : (await directory.administration.groupsOf(subject)).includes(ADMIN_GROUP);
  const byGroup = isMember ? await findRoleGrant(tx, ADMINISTRATOR) : undefined;
  const grants = [...(byGroup ? [byGroup] : []), ...(user?.grants ?? [])];
  const reach = [...grants, ...(user?.temporary ?? [])];
  if (user?.status !== 'Activated' || !holds(reach, permission)) {
    throw new PortalError('noPermission', { facts: { permission } });
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
  const isActive =
    kind === 'server' || (kind === 'directory' && (await isScimConnectionActive(tx, id)));
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
  requireHeldPermanently(granter, wanted);
}

/** @throws PortalError 1000 with the missing permissions */
export function requireHeldPermanently({ grants }: Granter, wanted: Grant): void {
  requireWithin(grants, wanted);
}

/**
 * Admitting a user is permanent, so temporary access is not sufficient.
 * @throws PortalError 1000
 */
export function requirePermanentManager(granter: Granter): void {
  requirePermanently(granter, 'access:manage');
}

/**
 * For what stays after temporary access has ended.
 * @throws PortalError 1000
 */
export function requirePermanently({ grants }: Granter, permission: Permission): void {
  if (holds(grants, permission)) return;
  throw refuse('outlasts-temporary-access', { facts: { permission } });
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
