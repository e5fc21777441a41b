import type { BackupProblemKind } from '@deviceportal/contract/backups';
import type { BackupStatus } from './backup-status.ts';

export interface BackupSchedule {
  readonly everyMs: number;
  readonly changesEveryMs: number;
}

export interface BackupProblem {
  readonly kind: BackupProblemKind;
  readonly since: string | null;
  /** The error; null if there is none. */
  readonly reason: string | null;
  /** The same for as long as the problem lasts. */
  readonly subject: string;
  /** For operators, in English. */
  readonly line: string;
}

/** A single failure of a transfer is repeated soon. */
const CHANGES_LATE_MS = 15 * 60_000;
const COMPLETE_LATE_MS = 60 * 60_000;

/**
 * What is wrong with the scheduled backups: the newest attempt at a complete one failed, one is overdue, or changes have not
 * been stored for a while.
 *
 * @param since when this server started
 */
export function findBackupProblem(
  {
    status,
    since,
    now,
  }: { readonly status: BackupStatus | undefined; readonly since: Date; readonly now: Date },
  { everyMs, changesEveryMs }: BackupSchedule,
): BackupProblem | undefined {
  const ageOf = (at: string | undefined): number =>
    now.getTime() - Math.max(since.getTime(), at === undefined ? 0 : new Date(at).getTime());
  const fault = status?.faults.complete ?? null;
  if (fault !== null) {
    const line = `backup failed: ${fault.reason}`;
    return { kind: 'failed', ...fault, subject: `backup:complete:${fault.since}`, line };
  }
  const last = status?.last?.at;
  if (now.getTime() - new Date(last ?? since).getTime() > COMPLETE_LATE_MS + (last ? everyMs : 0)) {
    const subject = `backup:complete:${last ?? 'none'}`;
    return last === undefined
      ? { kind: 'none', since: null, reason: null, subject, line: 'there is no backup' }
      : {
          kind: 'overdue',
          since: last,
          reason: null,
          subject,
          line: `the last backup is of ${last}`,
        };
  }
  const until = status?.changesUntil ?? undefined;
  if (until === undefined || ageOf(until) <= CHANGES_LATE_MS + changesEveryMs) return undefined;
  const reason = status?.faults.changes?.reason ?? null;
  const cause = reason === null ? '' : `: ${reason}`;
  const line = `changes after ${until} are not in the backup${cause}`;
  return { kind: 'changes-late', since: until, reason, subject: `backup:changes:${until}`, line };
}
