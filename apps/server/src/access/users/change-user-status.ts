import { userActRules, type UserAct } from '@deviceportal/contract/access';
import type { PortalError } from '@deviceportal/contract/errors';
import type { UserStatus } from '@deviceportal/contract/states';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import type { AccessDeps, StopQueued } from '../access-deps.ts';
import { endAccessGrantsOf } from '../access-grants/end-access-grants.ts';
import {
  loadGranter,
  requirePermanentManager,
  requireCanAssign,
  requireCanRemove,
  requireOtherUser,
  type Granter,
} from '../roles/granter.ts';
import { serializeAccessChange } from '../serialize-access-change.ts';
import { updateAdminGroup } from './update-admin-group.ts';
import { requireAnotherAdministrator } from '../require-another-administrator.ts';
import { removeRoles, requireUser, type UserWithRoles } from '../data/user-role-queries.ts';
import { setStatus } from '../data/user-queries.ts';

type Deps = Pick<AccessDeps, 'database' | 'directory'>;
type StatusDeps = Deps & { readonly stopQueued: StopQueued };

export interface UserStatusChange {
  readonly id: string;
  readonly act: UserAct;
  readonly reason: string;
  readonly stopQueued: boolean;
}

/**
 * Suspends, restores, marks as resigned, or archives a user. Their calls and sign-ins are rejected immediately, and all
 * sessions end. Resigned and archived users lose their roles; restoring them does not assign roles.
 * @throws PortalError 2003; 1000 for the caller themselves, or for a user with more permissions; 2004 for the last
 * administrator, or if the current status does not allow the change
 */
export async function changeUserStatus(
  deps: StatusDeps,
  caller: Caller,
  change: UserStatusChange,
): Promise<void> {
  await serializeAccessChange(deps.database, (tx) => applyUserStatus(tx, deps, caller, change));
  // After the commit, because there can be many commands, and the user can no longer start new runs.
  if (change.stopQueued && userActRules[change.act].to !== 'Activated')
    await deps.stopQueued(caller, change.id);
}

/** The change in a transaction that `serializeAccessChange` has started. */
export async function applyUserStatus(
  tx: Transaction,
  { directory }: Pick<Deps, 'directory'>,
  caller: Caller,
  { id, act, reason, stopQueued }: UserStatusChange,
): Promise<void> {
  const granter = await loadGranter(tx, directory, caller);
  requireOtherUser(granter, id);
  const user = await requireUser(tx, id);
  const { from, to } = userActRules[act];
  requireCanDecide(granter, user, to);
  if (user.status === to) return;
  if (!from.includes(user.status)) throw impossible(user.status);
  if (to !== 'Activated') {
    await requireAnotherAdministrator(tx, granter, { userId: id, roles: user.roles });
  }
  await setStatus(tx, id, to);
  if (to !== 'Activated') await endAccessGrantsOf(tx, caller, { userId: id });
  const leaves = to === 'Resigned' || to === 'Archived';
  if (leaves) await takeRoles(tx, { directory }, { user, caller });
  await directory.administration?.setStatus(user.subject, to, caller);
  await recordAudit(tx, [
    {
      type: 'access.user-status-changed',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: {
        userId: id,
        username: user.username,
        from: user.status,
        to,
        ...(reason !== '' && { reason }),
        ...(stopQueued && to !== 'Activated' && { stopQueued }),
        ...(leaves && { removed: user.roles.map(({ name }) => name) }),
      },
    },
  ]);
}

/** Restoring a user also restores their roles, so it requires the right to assign them. */
function requireCanDecide(granter: Granter, { roles }: UserWithRoles, to: UserStatus): void {
  if (to === 'Activated') requirePermanentManager(granter);
  const require = to === 'Activated' ? requireCanAssign : requireCanRemove;
  for (const role of roles) require(granter, role);
}

async function takeRoles(
  tx: Transaction,
  { directory }: Pick<Deps, 'directory'>,
  { user, caller }: { readonly user: UserWithRoles; readonly caller: Caller },
): Promise<void> {
  await removeRoles(
    tx,
    user.id,
    user.roles.map(({ id }) => id),
  );
  await updateAdminGroup(tx, directory, { user, roles: user.roles, isMember: false, caller });
}

function impossible(status: string): PortalError {
  return refuse('user-status-refuses', { field: 'act', facts: { status } });
}
