import type { RequestAccessGrant, AccessGrantRow } from '@deviceportal/contract/access-grants';
import { permissionsBeyond } from '@deviceportal/contract/covers';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import { findBoundCase } from '../../cases/find-bound-case.ts';
import { notify, notificationsChange } from '../../notifications/notify.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { Caller, Viewer } from '../../platform/viewer.ts';
import { requireRole } from '../data/role-queries.ts';
import {
  recentAccessRequests,
  insertAccessGrant,
  lockAccessGrant,
} from '../data/access-grant-queries.ts';
import type { AccessGrantDeps } from './access-grant-deps.ts';
import { findApprovers } from './find-approvers.ts';
import { accessGrantSubject } from './notify-access-grant.ts';
import { actorOfCaller, recordAccessGrants } from './record-access-grant.ts';
import { toAccessGrantRow } from './to-access-grant-row.ts';

/**
 * Requests temporary access to a role and notifies all users who can approve it.
 * @throws PortalError 2003 for an unknown role or case; 2004 if the requester already has the role, has a pending
 * request for it, requests a scope larger than the role's, or if no other user can approve the request
 */
export async function requestAccessGrant(
  { database, changes }: AccessGrantDeps,
  caller: Caller,
  asked: RequestAccessGrant,
): Promise<AccessGrantRow> {
  const { viewer } = caller;
  await requireOwnCase({ database }, viewer, asked.caseId);
  const { row, news } = await inTransaction(database, async (tx) => {
    const role = await requireRole(tx, asked.roleId);
    const grant = { permissions: role.permissions, scope: asked.scope };
    if (permissionsBeyond([role], grant).length > 0) {
      throw refuse('role-out-of-reach', { field: 'scope', facts: { role: role.name } });
    }
    if (permissionsBeyond(viewer.grants, grant).length === 0) {
      throw refuse('access-already-held', { field: 'roleId' });
    }
    const approvers = await findApprovers(tx, { userId: viewer.userId, grant });
    if (approvers.length === 0) throw refuse('no-approver', { field: 'roleId' });
    const existing = recentAccessRequests(tx, viewer.userId);
    await requireRoom(tx, { limit: 'accessRequests', of: viewer.userId, existing });
    const id = newId();
    const accessGrant = {
      ...{ id, userId: viewer.userId, username: viewer.username },
      ...{ roleId: role.id, roleName: role.name, ...grant },
      ...{ reason: asked.reason, minutes: asked.minutes, caseId: asked.caseId },
    };
    if (!(await insertAccessGrant(tx, accessGrant))) {
      throw refuse('access-already-requested', { field: 'roleId' });
    }
    await recordAccessGrants(tx, actorOfCaller(caller), [
      { type: 'access.elevation-asked', accessGrant },
    ]);
    const facts = {
      ...{ elevationId: id, role: role.name, by: viewer.username },
      ...{ minutes: asked.minutes, reason: asked.reason },
    };
    await notify(
      tx,
      approvers.map(({ userId }) => ({
        ...{ userId, kind: 'elevation-asked' as const, subject: accessGrantSubject(id), facts },
      })),
    );
    const stored = await lockAccessGrant(tx, id);
    return { row: stored, news: notificationsChange(approvers.map(({ subject }) => subject)) };
  });
  changes.publish(news);
  if (row === undefined) throw new PortalError('unknown');
  return toAccessGrantRow(row, viewer);
}

async function requireOwnCase(
  deps: Pick<AccessGrantDeps, 'database'>,
  viewer: Viewer,
  caseId: string | null,
): Promise<void> {
  if (caseId === null || (await findBoundCase(deps, viewer, caseId)) !== null) return;
  throw new PortalError('notFound', { facts: { case: caseId } });
}
