import type { BackupAttempt, BackupsView } from '@deviceportal/contract/backups';
import { backupFault } from './backup-fault.ts';
import { findBackupProblem } from './backup-problem.ts';
import { readBackupStatus, type BackupStatus, type KeptAttempt } from './backup-status.ts';
import type { BackupsDeps, BackupsSettings } from './backups-deps.ts';

/** The scheduled backups; null if none are scheduled. */
export async function getBackups({
  database,
  clock,
  backups,
}: BackupsDeps): Promise<BackupsView | null> {
  if (backups === undefined) return null;
  const found = await readBackupStatus(database.orm);
  const status = found?.place === backups.place ? found : undefined;
  const { place, everyMs, changesEveryMs, keptDays } = backups;
  return {
    ...{ place, database: backups.database, everyMs, changesEveryMs, keptDays },
    problem: problemOf(backups, status, clock()),
    last: lastOf(status),
    restorable: restorableOf(status),
    nextAt: nextAtOf(status, everyMs, clock()),
    runningSince: status?.runningSince ?? null,
    requestedAt: status?.requestedAt ?? null,
    triedAt: status?.triedAt ?? null,
    attempts: (status?.attempts ?? []).map(attemptOf),
  };
}

function problemOf(
  backups: BackupsSettings,
  status: BackupStatus | undefined,
  now: Date,
): BackupsView['problem'] {
  const found = findBackupProblem({ status, since: backups.since, now }, backups);
  if (found === undefined) return null;
  const { kind, since, reason } = found;
  return { kind, since, fault: reason === null ? null : backupFault(reason) };
}

function lastOf(status: BackupStatus | undefined): BackupsView['last'] {
  const last = status?.last ?? null;
  if (last === null) return null;
  const attempt = status?.attempts.find(
    ({ endedAt, bytes }) => bytes !== null && endedAt === last.at,
  );
  const durationMs =
    attempt === undefined ? null : Date.parse(attempt.endedAt) - Date.parse(attempt.startedAt);
  return { at: last.at, bytes: last.bytes, durationMs };
}

function restorableOf(status: BackupStatus | undefined): BackupsView['restorable'] {
  const from = status?.restorableFrom ?? null;
  const until = status?.changesUntil ?? null;
  return from === null || until === null || until < from ? null : { from, until };
}

function nextAtOf(status: BackupStatus | undefined, everyMs: number, now: Date): string | null {
  const last = status?.attempts.find(({ bytes }) => bytes !== null)?.startedAt ?? status?.last?.at;
  if (last === undefined) return null;
  const next = new Date(Date.parse(last) + everyMs);
  return next > now ? next.toISOString() : null;
}

const attemptOf = ({ reason, ...attempt }: KeptAttempt): BackupAttempt => ({
  ...attempt,
  fault: reason === null ? null : backupFault(reason),
});
