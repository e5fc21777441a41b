import { findUsersWithPermission } from '../../access/data/users-with-permission.ts';
import { notify } from '../../notifications/notify.ts';
import type { ChangeFeed } from '../../platform/change-feed.ts';
import { inTransaction, type Database } from '../../platform/database/database.ts';
import { recordAudit, systemActor } from '../record-audit.ts';
import type { SealStopped } from './seal-stopped.ts';

/** Records that sealing stopped, and notifies users who can export the trail. */
export async function reportSealStop(
  { database, changes }: { readonly database: Database; readonly changes: ChangeFeed },
  { reason, block }: SealStopped,
): Promise<void> {
  const news = await inTransaction(database, async (tx) => {
    await recordAudit(tx, [
      { type: 'audit-trail.seal-stopped', actor: systemActor, data: { reason, block } },
    ]);
    const people = await findUsersWithPermission(tx, 'audit-trail:export');
    return notify(
      tx,
      people.map(({ userId }) => ({
        userId,
        kind: 'audit-seal-stopped',
        subject: `audit-seal:${reason}:${block}`,
        facts: { reason, block },
      })),
    );
  });
  changes.publish(news);
}
