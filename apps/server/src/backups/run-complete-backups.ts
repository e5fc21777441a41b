import {
  openCompleteBackups,
  timeKey,
  timeOfKey,
} from '../platform/backup/archive/archive-places.ts';
import { streamBackup, type StreamBackupOptions } from '../platform/backup/write-backup.ts';
import { withLock } from '../platform/database/connections/with-lock.ts';
import type { FilePlace } from '../platform/files/file-place.ts';
import { repeat } from '../platform/process/repeat.ts';
import type { BackupRecorder } from './record-backup.ts';

const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 60_000;
/** While another server makes the backup that is due. */
const OTHERS_MS = 30_000;

export interface CompleteBackupsRun {
  readonly backup: StreamBackupOptions;
  readonly place: FilePlace;
  readonly recorder: BackupRecorder;
  readonly everyMs: number;
  readonly keptDays: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Stores backups of an external database until disposed, in the format of `npm run backup`. Of several servers, one makes
 * each backup.
 */
export function runCompleteBackups(run: CompleteBackupsRun): AsyncDisposable {
  const { backup, recorder, onError } = run;
  let lookAt = 0;
  let triedAt = 0;
  return repeat(
    async () => {
      const now = backup.clock();
      const requestedAt = (await recorder.requestedAt())?.getTime() ?? 0;
      if (now.getTime() < lookAt && requestedAt <= triedAt) return;
      lookAt = now.getTime() + RETRY_MS;
      triedAt = now.getTime();
      try {
        lookAt = await backUpIfDue(run, now, requestedAt);
      } catch (error) {
        await recorder.failed('complete', error);
      }
    },
    { everyMs: LOOK_EVERY_MS, onError },
  );
}

/** @returns when to look again, in milliseconds */
async function backUpIfDue(
  run: CompleteBackupsRun,
  now: Date,
  requestedAt: number,
): Promise<number> {
  const { backup, recorder } = run;
  const next = await nextAt(run, requestedAt);
  if (next > now.getTime()) return next;
  const made = await withLock(backup.database, 'scheduled-backups', async () => {
    // With the lock, no other server is making one.
    await recorder.interrupted();
    if ((await nextAt(run, requestedAt)) <= now.getTime()) await backUp(run, now);
    return true;
  });
  return made === true ? nextAt(run) : now.getTime() + OTHERS_MS;
}

async function nextAt(
  { place, everyMs }: Pick<CompleteBackupsRun, 'place' | 'everyMs'>,
  requestedAt = 0,
): Promise<number> {
  const newest = (await keysOf(place)).at(-1);
  if (newest === undefined) return 0;
  const at = timeOfKey(newest).getTime();
  return at < requestedAt ? requestedAt : at + everyMs;
}

async function backUp(
  { backup, place, recorder, keptDays }: CompleteBackupsRun,
  now: Date,
): Promise<void> {
  await recorder.started();
  const store = openCompleteBackups(place);
  const before = new Date(now.getTime() - keptDays * DAY_MS);
  // First, so that a full backup location has room again. The newest one is kept.
  for (const key of (await keysOf(place)).slice(0, -1)) {
    if (timeOfKey(key) < before) await store.remove(key);
  }
  const key = `${timeKey(now)}.backup`;
  await backup.auditKeys.refresh();
  const { delivered } = await streamBackup(backup, (content) => store.put(key, content));
  await recorder.made(key, delivered.bytes);
}

async function keysOf(place: FilePlace): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of openCompleteBackups(place).list('')) keys.push(key);
  return keys.toSorted();
}
