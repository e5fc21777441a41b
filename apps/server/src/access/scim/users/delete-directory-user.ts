import { serializeAccessChange } from '../../serialize-access-change.ts';
import { applyUserStatus } from '../../users/change-user-status.ts';
import { requireDirectoryUser, storeScimUser } from '../../data/scim/scim-user-queries.ts';
import type { DirectoryCaller } from '../connection-caller.ts';
import { requireVersion } from '../protocol/etag.ts';
import { userResource } from '../protocol/user-resource.ts';
import { recordScim } from '../record-scim.ts';
import type { ScimDeps } from '../scim-deps.ts';
import { notifyLeaver } from './notify-leaver.ts';

/**
 * Marks a user as resigned: all sessions end and all roles are removed. The user is kept for the audit trail, but no
 * longer exists for directories.
 * @throws PortalError 2003; last-administrator. ScimError 412
 */
export async function deleteDirectoryUser(
  deps: ScimDeps,
  caller: DirectoryCaller,
  {
    id,
    ifMatch,
    baseUrl,
  }: { readonly id: string; readonly ifMatch: string | undefined; readonly baseUrl: string },
): Promise<void> {
  await serializeAccessChange(deps.database, async (tx) => {
    const user = await requireDirectoryUser(tx, id);
    requireVersion(ifMatch, userResource(user, baseUrl).meta.version);
    const hasAccess = user.status === 'Activated';
    if (hasAccess) await notifyLeaver(tx, deps, { caller, user });
    if (hasAccess || user.status === 'Suspended') {
      await applyUserStatus(tx, deps, caller, {
        ...{ id, act: 'resign', reason: caller.connection.name, stopQueued: true },
      });
    }
    await storeScimUser(tx, {
      userId: id,
      connectionId: caller.connection.id,
      externalId: user.stored?.externalId ?? null,
      profile: user.stored?.profile ?? {},
      isEnded: hasAccess || user.stored?.isEnded === true,
      isDeleted: true,
    });
    await recordScim(tx, caller, 'access.directory-user-removed', {
      ...{ userId: id, username: user.username },
    });
  });
  await deps.stopQueued(caller, id);
}
