import { z } from 'zod';
import type { Executor } from '../platform/database/database.ts';
import { keepSetting, readSetting } from '../platform/keep-setting.ts';

const KEY = 'scheduled-backups';

const moment = z.iso.datetime();

/** Since when the newest attempt fails, and why; null if it succeeded. */
const faultSchema = z.object({ since: moment, reason: z.string() }).nullable();

const attemptSchema = z.object({
  startedAt: moment,
  endedAt: moment,
  /** Null if it failed. */
  bytes: z.number().nullable(),
  /** Null if it was stored. */
  reason: z.string().nullable(),
  /** Consecutive failures for the same reason are one entry. */
  count: z.int().positive(),
  isRequested: z.boolean(),
});
export type KeptAttempt = z.infer<typeof attemptSchema>;

const backupStatusSchema = z.object({
  /** Where backups are stored. */
  place: z.string(),
  /** Since when backups have been scheduled to this place. */
  since: moment,
  /** The newest complete backup. */
  last: z.object({ id: z.string(), at: moment, bytes: z.number() }).nullable(),
  /** Up to when changes are stored; null for an external database. */
  changesUntil: moment.nullable(),
  /** Complete backups, and transfers of changes, that fail. */
  faults: z.object({ complete: faultSchema, changes: faultSchema }),
  // Not written by earlier releases:
  /** From when the embedded database can be restored. */
  restorableFrom: moment.nullable().default(null),
  /** Since when a complete backup is being made. */
  runningSince: moment.nullable().default(null),
  /** When a user requested a backup that has not ended. */
  requestedAt: moment.nullable().default(null),
  /** The newest trial restore. */
  triedAt: moment.nullable().default(null),
  /** Newest first. */
  attempts: z.array(attemptSchema).default([]),
});
export type BackupPart = keyof BackupStatus['faults'];
export type BackupStatus = z.infer<typeof backupStatusSchema>;

export const firstBackupStatus = (place: string, since: string): BackupStatus => ({
  ...{ place, since, last: null, changesUntil: null },
  faults: { complete: null, changes: null },
  ...{ restorableFrom: null, runningSince: null, requestedAt: null, triedAt: null, attempts: [] },
});

/** Undefined before the first backup. */
export async function readBackupStatus(on: Executor): Promise<BackupStatus | undefined> {
  const found = backupStatusSchema.safeParse(await readSetting(on, KEY));
  return found.success ? found.data : undefined;
}

export const keepBackupStatus = (on: Executor, status: BackupStatus): Promise<void> =>
  keepSetting(on, KEY, status);
