import type { AccessGrantEnd } from '@deviceportal/contract/access-grants';
import { holds } from '@deviceportal/contract/permissions';
import type { Change, ChangeFeed } from '../../platform/change-feed.ts';
import {
  inTransaction,
  type Database,
  type Transaction,
} from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { loadGranter, requireCanRemove } from '../roles/granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { requireAccessGrant } from './decide-access-grant.ts';
import type { AccessGrantDeps } from './access-grant-deps.ts';
import {
  hasDue,
  markDue,
  markEnded,
  type AccessGrantFilter,
  type StoredAccessGrant,
} from '../data/access-grant-queries.ts';
import { PortalError } from '@deviceportal/contract/errors';
import {
  actorOfCaller,
  recordAccessGrants,
  systemAccessGrantActor,
  type AccessGrantActor,
} from './record-access-grant.ts';
import { concerned, closeApproverNotifications, notifyRequester } from './notify-access-grant.ts';

/**
 * Withdraws the caller's own request, ends their own temporary access, or ends that of another user early. Does nothing
 * if it has already ended.
 * @throws PortalError 2003; 1000 for another user's without the permission to end it
 */
export async function endAccessGrant(
  { database, directory, changes }: AccessGrantDeps,
  caller: Caller,
  id: string,
): Promise<void> {
  const { viewer } = caller;
  const news = await serializeAccessChange(database, async (tx) => {
    const held = await requireAccessGrant(tx, id);
    const isOwn = held.userId === viewer.userId;
    if (!isOwn) {
      // Without `access:read`, grants of other users do not exist for the viewer.
      if (!holds(viewer.grants, 'access:read'))
        throw new PortalError('notFound', { facts: { id } });
      requireCanRemove(await loadGranter(tx, directory, caller), held);
    }
    const reason = isOwn ? 'given-back' : 'taken';
    return endGrants(tx, { which: { ids: [id] }, reason, who: actorOfCaller(caller) });
  });
  changes.publish(news);
}

/** Ends temporary access that a review has decided to remove, in the transaction of the decision. */
export async function endReviewedGrant(
  tx: Transaction,
  caller: Caller,
  id: string,
): Promise<{ readonly isEnded: boolean; readonly news: Change[] }> {
  const held = await requireAccessGrant(tx, id);
  if (held.state !== 'running') return { isEnded: false, news: [] };
  const who = actorOfCaller(caller);
  return {
    isEnded: true,
    news: await endGrants(tx, { which: { ids: [id] }, reason: 'taken', who }),
  };
}

/** Ends all temporary access that depends on a case, a role, or a user, in the transaction of that change. */
export function endAccessGrantsOf(
  tx: Transaction,
  caller: Caller,
  of: { readonly caseId: string } | { readonly roleId: string } | { readonly userId: string },
): Promise<Change[]> {
  const who = actorOfCaller(caller);
  if ('caseId' in of) return endGrants(tx, { which: of, reason: 'case-closed', who });
  if ('roleId' in of) return endGrants(tx, { which: of, reason: 'role-changed', who });
  return endGrants(tx, { which: of, reason: 'user-left', who });
}

/**
 * Records expired temporary access. Permissions end without it: the view `held_grant` ignores grants whose time is
 * over. The recorded time is the expiry time, even if no server was running then.
 */
export async function endDueAccessGrants({
  database,
  changes,
}: {
  readonly database: Database;
  readonly changes: ChangeFeed;
}): Promise<void> {
  if (!(await hasDue(database.orm))) return;
  const news = await inTransaction(database, async (tx) => {
    const due = await markDue(tx);
    await recordAccessGrants(
      tx,
      systemAccessGrantActor,
      due.map((accessGrant) =>
        accessGrant.state === 'lapsed'
          ? { type: 'access.elevation-lapsed' as const, accessGrant }
          : {
              type: 'access.elevation-ended' as const,
              accessGrant,
              data: { reason: 'time' },
              ...(accessGrant.endsAt !== null && { occurredAt: new Date(accessGrant.endsAt) }),
            },
      ),
    );
    for (const accessGrant of due) await closeApproverNotifications(tx, accessGrant);
    return concerned(tx, due);
  });
  changes.publish(news);
}

async function endGrants(
  tx: Transaction,
  {
    which,
    reason,
    who,
  }: {
    readonly which: AccessGrantFilter;
    readonly reason: AccessGrantEnd;
    readonly who: AccessGrantActor;
  },
): Promise<Change[]> {
  const ended = await markEnded(tx, which, { by: who.actor.name, reason });
  await recordAccessGrants(
    tx,
    who,
    ended.map((accessGrant) => ({
      type:
        accessGrant.state === 'waiting' ? 'access.elevation-withdrawn' : 'access.elevation-ended',
      accessGrant,
      data: { reason },
    })),
  );
  for (const accessGrant of ended) await notifyEnd(tx, accessGrant, reason);
  return concerned(tx, ended);
}

async function notifyEnd(
  tx: Transaction,
  accessGrant: StoredAccessGrant,
  reason: AccessGrantEnd,
): Promise<void> {
  await closeApproverNotifications(tx, accessGrant);
  if (accessGrant.state === 'running' && reason !== 'given-back')
    await notifyRequester(tx, accessGrant, { kind: 'elevation-ended', facts: { reason } });
}
