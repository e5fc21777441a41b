import type { BackupStatus, KeptAttempt } from './backup-status.ts';

const KEPT_ATTEMPTS = 20;

/** The recorded reason of an attempt that ended with its process. */
export const INTERRUPTED = 'interrupted';

export type AttemptOutcome = Pick<KeptAttempt, 'bytes' | 'reason'>;

/** The status after an attempt that is running has ended. */
export function recordAttempt(
  status: BackupStatus,
  endedAt: string,
  { bytes, reason }: AttemptOutcome,
): BackupStatus {
  const { runningSince, requestedAt, attempts } = status;
  const startedAt = runningSince ?? endedAt;
  const isRequested = requestedAt !== null && requestedAt <= startedAt;
  const [newest, ...earlier] = attempts;
  const repeats =
    newest !== undefined &&
    reason !== null &&
    newest.reason === reason &&
    newest.isRequested === isRequested;
  const attempt: KeptAttempt = repeats
    ? { ...newest, endedAt, count: newest.count + 1 }
    : { ...{ startedAt, endedAt, bytes, reason, isRequested }, count: 1 };
  const kept = [attempt, ...(repeats ? earlier : attempts)].slice(0, KEPT_ATTEMPTS);
  const isAnswered = reason === null && isRequested;
  return {
    ...status,
    attempts: kept,
    runningSince: null,
    requestedAt: isAnswered ? null : requestedAt,
  };
}
