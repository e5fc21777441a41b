import type { Timestamp } from './pages.ts';

/** Why a backup could not be stored. */
export const backupFaultReasons = [
  'no-space',
  'access-denied',
  'credentials',
  'not-found',
  'throttled',
  'unreachable',
  'interrupted',
  'other',
] as const;
export type BackupFaultReason = (typeof backupFaultReasons)[number];

/** What is wrong with the scheduled backups. */
export const backupProblemKinds = ['failed', 'none', 'overdue', 'changes-late'] as const;
export type BackupProblemKind = (typeof backupProblemKinds)[number];

export interface BackupFault {
  readonly reason: BackupFaultReason;
  /** The error as the system reported it. */
  readonly text: string;
}

/** One attempt at a complete backup, or several in a row that failed with the same error. */
export interface BackupAttempt {
  readonly startedAt: Timestamp;
  readonly endedAt: Timestamp;
  /** Bytes that were stored; null if it failed. */
  readonly bytes: number | null;
  /** Null if it was stored. */
  readonly fault: BackupFault | null;
  /** Number of attempts: more than one only for failures. */
  readonly count: number;
  /** Whether a user started it. */
  readonly isRequested: boolean;
}

export interface BackupsView {
  readonly place: string;
  readonly database: 'embedded' | 'external';
  readonly everyMs: number;
  readonly changesEveryMs: number;
  readonly keptDays: number;
  readonly problem: {
    readonly kind: BackupProblemKind;
    readonly since: Timestamp | null;
    readonly fault: BackupFault | null;
  } | null;
  /** The newest complete backup. */
  readonly last: {
    readonly at: Timestamp;
    readonly bytes: number;
    readonly durationMs: number | null;
  } | null;
  /** Times to which the embedded database can be restored; null if there are none yet, and for an external database. */
  readonly restorable: { readonly from: Timestamp; readonly until: Timestamp } | null;
  /** Null if the next backup starts now. */
  readonly nextAt: Timestamp | null;
  readonly runningSince: Timestamp | null;
  /** When a user requested a backup that has not ended. */
  readonly requestedAt: Timestamp | null;
  /** The newest trial restore that succeeded. */
  readonly triedAt: Timestamp | null;
  /** Newest first, at most 20. */
  readonly attempts: readonly BackupAttempt[];
}
