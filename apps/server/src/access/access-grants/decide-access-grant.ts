import type { z } from 'zod';
import type {
  AccessGrantRow,
  approveAccessGrantInput,
  denyAccessGrantInput,
} from '@deviceportal/contract/access-grants';
import { PortalError } from '@deviceportal/contract/errors';
import { refuse } from '@deviceportal/contract/refuse';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { isSamePerson } from '../data/same-people.ts';
import { loadGranter, ownAccess, requireCanAssign, type Granter } from '../roles/granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { requireRole } from '../data/role-queries.ts';
import { requireUser } from '../data/user-role-queries.ts';
import type { AccessGrantDeps } from './access-grant-deps.ts';
import {
  lockAccessGrant,
  markRefused,
  markRunning,
  type StoredAccessGrant,
} from '../data/access-grant-queries.ts';
import { actorOfCaller, recordAccessGrants } from './record-access-grant.ts';
import { concerned, closeApproverNotifications, notifyRequester } from './notify-access-grant.ts';
import { toAccessGrantRow } from './to-access-grant-row.ts';

/**
 * Assigns the role from now on, for at most the requested time.
 * @throws PortalError 2003; 1000 for a request of the caller, from any of their accounts, and for permissions that the
 * caller does not hold permanently; 2004 if the request is no longer pending, or the requester can no longer use the
 * portal
 */
export function approveAccessGrant(
  deps: AccessGrantDeps,
  caller: Caller,
  { id, minutes: wanted }: z.infer<typeof approveAccessGrantInput>,
): Promise<AccessGrantRow> {
  return decide(deps, caller, id, async (tx, held) => {
    const by = caller.viewer.username;
    const user = await requireUser(tx, held.userId);
    if (user.status !== 'Activated') throw refuse('requester-inactive', { field: 'id' });
    const minutes = Math.min(wanted ?? held.minutes, held.minutes);
    await markRunning(tx, id, { permissions: held.permissions, minutes, by });
    const given = await requireAccessGrant(tx, id);
    await recordAccessGrants(tx, actorOfCaller(caller), [
      {
        type: 'access.elevation-granted',
        accessGrant: given,
        data: { permissions: given.permissions, endsAt: given.endsAt },
      },
    ]);
    const facts = { decision: 'granted', minutes, by, endsAt: given.endsAt };
    await notifyRequester(tx, given, { kind: 'elevation-decided', facts });
  });
}

/** @throws PortalError as `approveAccessGrant` */
export function denyAccessGrant(
  deps: AccessGrantDeps,
  caller: Caller,
  { id, note }: z.infer<typeof denyAccessGrantInput>,
): Promise<AccessGrantRow> {
  return decide(deps, caller, id, async (tx, held) => {
    const by = caller.viewer.username;
    await markRefused(tx, id, { by, note });
    await recordAccessGrants(tx, actorOfCaller(caller), [
      { type: 'access.elevation-refused', accessGrant: held, data: { note } },
    ]);
    const facts = { decision: 'refused', by, note };
    await notifyRequester(tx, held, { kind: 'elevation-decided', facts });
  });
}

async function decide(
  { database, directory, changes }: AccessGrantDeps,
  caller: Caller,
  id: string,
  carryOut: (tx: Transaction, held: StoredAccessGrant) => Promise<void>,
): Promise<AccessGrantRow> {
  const { row, news } = await serializeAccessChange(
    database,
    async (tx): Promise<{ readonly row: StoredAccessGrant; readonly news: Change[] }> => {
      const granter = await loadGranter(tx, directory, caller);
      const held = await requireAccessGrant(tx, id);
      if (await isSamePerson(tx, granter.userId, [held.userId])) throw ownAccess();
      await requireGivable(tx, granter, held);
      if (held.state !== 'waiting') throw refuse('request-already-decided', { field: 'id' });
      await carryOut(tx, held);
      await closeApproverNotifications(tx, held);
      return { row: await requireAccessGrant(tx, id), news: await concerned(tx, [held]) };
    },
  );
  changes.publish(news);
  return toAccessGrantRow(row, caller.viewer);
}

/**
 * The permissions to assign are those of the role. If the role was changed or deleted after the request, the request
 * has ended.
 */
async function requireGivable(
  tx: Transaction,
  granter: Granter,
  { roleId, permissions, scope }: StoredAccessGrant,
): Promise<void> {
  await requireRole(tx, roleId);
  requireCanAssign(granter, { permissions, scope });
}

/** @throws PortalError 2003 */
export async function requireAccessGrant(tx: Transaction, id: string): Promise<StoredAccessGrant> {
  const found = await lockAccessGrant(tx, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { id } });
  return found;
}
