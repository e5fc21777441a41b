import { findUsersWithPermission } from '../access/data/users-with-permission.ts';
import { notify } from '../notifications/notify.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { StoredHold } from './data/hold-queries.ts';

/** Notifies all other users who can approve the end of a hold. */
export async function notifyRelease(
  tx: Transaction,
  { viewer, requestId }: Caller,
  { id, name }: StoredHold,
): Promise<Change[]> {
  const approvers = await findUsersWithPermission(tx, 'legal-holds:manage');
  return notify(
    tx,
    approvers
      .filter(({ userId }) => userId !== viewer.userId)
      .map(({ userId }) => ({
        ...{
          userId,
          kind: 'legal-hold-release' as const,
          subject: `legal-hold:${id}:${requestId}`,
        },
        facts: { holdId: id, hold: name, by: viewer.username },
      })),
  );
}
