import type { Transaction } from '../../../platform/database/database.ts';
import { notify } from '../../../notifications/notify.ts';
import type { Change } from '../../../platform/change-feed.ts';
import type { DirectoryUser } from '../../data/scim/scim-user-queries.ts';
import { findUsersWithPermission } from '../../data/users-with-permission.ts';
import type { DirectoryCaller } from '../connection-caller.ts';
import type { ScimDeps } from '../scim-deps.ts';

/** Notifies all users who manage access of a leaver, and of what the leaver operated. */
export async function notifyLeaver(
  tx: Transaction,
  { countOpenWork, clock }: Pick<ScimDeps, 'countOpenWork' | 'clock'>,
  { caller, user }: { readonly caller: DirectoryCaller; readonly user: DirectoryUser },
): Promise<Change[]> {
  const holders = await findUsersWithPermission(tx, 'access:manage');
  const { schedules, rollouts } = await countOpenWork(tx, user.id);
  const subject = `leaver:${user.id}:${clock().toISOString()}`;
  const facts = {
    userId: user.id,
    by: user.username,
    connection: caller.connection.name,
    ...{ schedules, rollouts },
  };
  return notify(
    tx,
    holders
      .filter(({ userId }) => userId !== user.id)
      .map(({ userId }) => ({ userId, kind: 'user-left' as const, subject, facts })),
  );
}
