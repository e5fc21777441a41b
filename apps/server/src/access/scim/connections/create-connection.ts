import { newId } from '@deviceportal/contract/ids';
import type { NewScimConnection, NewScimToken } from '@deviceportal/contract/scim';
import { requireRoom } from '../../../platform/growth-limits/require-room.ts';
import type { Caller } from '../../../platform/viewer.ts';
import type { AccessDeps } from '../../access-deps.ts';
import { insertConnection, openConnections } from '../../data/scim/scim-connection-queries.ts';
import { requireRoles } from '../../users/change-user-roles.ts';
import { serializeAccessChange } from '../../serialize-access-change.ts';
import { hashScimToken, newScimToken } from '../authenticate-connection.ts';
import { recordScim } from '../record-scim.ts';
import { requireFullAdministrator } from './require-full-administrator.ts';

const DAY_MS = 86_400_000;

/** @throws PortalError 1000 without all permissions; 2004 for unknown roles, or too many connections */
export function createConnection(
  deps: Pick<AccessDeps, 'database' | 'directory' | 'clock'>,
  caller: Caller,
  { name, roleIds, days }: NewScimConnection,
): Promise<NewScimToken> {
  return serializeAccessChange(deps.database, async (tx) => {
    await requireFullAdministrator(tx, deps, caller);
    await requireRoom(tx, { limit: 'scimConnections', of: '', existing: openConnections(tx) });
    const roles = await requireRoles(tx, roleIds);
    const id = newId();
    const token = newScimToken();
    const expiresAt = new Date(deps.clock().getTime() + days * DAY_MS);
    await insertConnection(tx, {
      ...{ id, name, roleIds, expiresAt },
      tokenHash: hashScimToken(token),
      createdById: caller.viewer.userId,
    });
    await recordScim(tx, caller, 'access.directory-connection-created', {
      ...{ connectionId: id, connection: name, expiresAt },
      roles: roles.map((role) => role.name),
    });
    return { id, token, expiresAt: expiresAt.toISOString() };
  });
}
