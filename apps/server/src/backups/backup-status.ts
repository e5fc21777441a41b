import { z } from 'zod';
import type { Executor } from '../platform/database/database.ts';
import { keepSetting, readSetting } from '../platform/keep-setting.ts';

const KEY = 'scheduled-backups';

/** Since when the newest attempt fails, and why; null if it succeeded. */
const faultSchema = z.object({ since: z.iso.datetime(), reason: z.string() }).nullable();

const backupStatusSchema = z.object({
  /** Where backups are stored. */
  place: z.string(),
  /** Since when backups have been scheduled to this place. */
  since: z.iso.datetime(),
  /** The newest complete backup. */
  last: z.object({ id: z.string(), at: z.iso.datetime(), bytes: z.number() }).nullable(),
  /** Up to when changes are stored; null for an external database. */
  changesUntil: z.iso.datetime().nullable(),
  /** Complete backups, and transfers of changes, that fail. */
  faults: z.object({ complete: faultSchema, changes: faultSchema }),
});
export type BackupPart = keyof BackupStatus['faults'];
export type BackupStatus = z.infer<typeof backupStatusSchema>;

/** Undefined before the first backup. */
export async function readBackupStatus(on: Executor): Promise<BackupStatus | undefined> {
  const found = backupStatusSchema.safeParse(await readSetting(on, KEY));
  return found.success ? found.data : undefined;
}

export const keepBackupStatus = (on: Executor, status: BackupStatus): Promise<void> =>
  keepSetting(on, KEY, status);
