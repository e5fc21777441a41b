import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import type { Transaction } from '../platform/database/database.ts';
import { keepBackupStatus, readBackupStatus, type BackupStatus } from './backup-status.ts';

/** Changes the status, which the backup process and the servers write. */
export async function changeBackupStatus(
  tx: Transaction,
  work: (status: BackupStatus | undefined) => Promise<BackupStatus | undefined>,
): Promise<void> {
  await holdUntilCommit(tx, 'backup-status');
  const changed = await work(await readBackupStatus(tx));
  if (changed !== undefined) await keepBackupStatus(tx, changed);
}
