import { PortalError } from '@deviceportal/contract/errors';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import type { Caller } from '../platform/viewer.ts';
import type { BackupsDeps } from './backups-deps.ts';
import { changeBackupStatus } from './change-backup-status.ts';

/**
 * Has the backup process make a complete backup now. Does nothing while one is running or requested.
 *
 * @throws PortalError 2003 if no backups are scheduled
 */
export async function requestBackup(
  { database, clock, backups }: BackupsDeps,
  caller: Caller,
): Promise<void> {
  if (backups === undefined) throw new PortalError('notFound');
  await inTransaction(database, (tx) =>
    changeBackupStatus(tx, async (status) => {
      // Before the first backup, one is due anyway.
      if (status?.place !== backups.place) return undefined;
      if (status.runningSince !== null || status.requestedAt !== null) return undefined;
      await recordAudit(tx, [
        {
          type: 'installation.backup-requested',
          actor: actorOf(caller.viewer, caller),
          requestId: caller.requestId,
          data: { to: status.place },
        },
      ]);
      return { ...status, requestedAt: clock().toISOString() };
    }),
  );
}
