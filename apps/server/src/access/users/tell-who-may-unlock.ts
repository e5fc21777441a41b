import type { AuditDraft } from '../../audit-trail/record-audit.ts';
import { findPeopleHolding } from '../data/people-holding.ts';
import { notify } from '../../notifications/notify.ts';
import type { Transaction } from '../../platform/database/database.ts';

/** Notifies all other users who can unlock accounts about a locked account, if it belongs to a portal user. */
export async function tellWhoMayUnlock(
  tx: Transaction,
  { actor, at }: Pick<AuditDraft, 'actor' | 'at'>,
): Promise<void> {
  const { id: lockedId, name: by } = actor;
  if (lockedId === null) return;
  const holders = await findPeopleHolding(tx, 'access:manage');
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
