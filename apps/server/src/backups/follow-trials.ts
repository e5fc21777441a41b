import { openTrials, timeOfKey } from '../platform/backup/archive/archive-places.ts';
import type { FilePlace } from '../platform/files/file-place.ts';
import { repeat } from '../platform/process/repeat.ts';
import type { BackupRecorder } from './record-backup.ts';

const LOOK_EVERY_MS = 600_000;

export interface FollowTrialsDeps {
  readonly place: FilePlace;
  readonly recorder: Pick<BackupRecorder, 'tried'>;
  readonly onError: (error: unknown) => void;
  readonly everyMs?: number;
}

/** Records the newest trial restore, which another machine notes in the backup location. */
export function followTrials({
  place,
  recorder,
  onError,
  everyMs = LOOK_EVERY_MS,
}: FollowTrialsDeps): AsyncDisposable {
  let known = '';
  const look = async (): Promise<void> => {
    let newest = '';
    for await (const { key } of openTrials(place).list('')) if (key > newest) newest = key;
    if (newest === known) return;
    await recorder.tried(timeOfKey(newest));
    known = newest;
  };
  void look().catch(onError);
  return repeat(look, { everyMs, onError });
}
