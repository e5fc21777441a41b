import type { AuditDraft } from '../../audit-trail/record-audit.ts';
import { findUsersWithPermission } from '../data/users-with-permission.ts';
import { notify } from '../../notifications/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** Notifies all other users who can unlock accounts about a locked account, if it belongs to a portal user. */
export async function notifyAccountLocked(
  tx: Transaction,
  { actor, at }: Pick<AuditDraft, 'actor' | 'at'>,
): Promise<void> {
  const { id: lockedId, name: by } = actor;
  if (lockedId === null) return;
  const holders = await findUsersWithPermission(tx, 'access:manage');
  const subject = `account-lock:${lockedId}:${(at ?? new Date()).toISOString()}`;
  await notify(
    tx,
    holders
      .filter(({ userId }) => userId !== lockedId)
      .map(({ userId }) => ({
        ...{ userId, kind: 'account-locked' as const, subject },
        facts: { userId: lockedId, by },
      })),
  );
}
