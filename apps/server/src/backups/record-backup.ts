import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import {
  firstBackupStatus,
  readBackupStatus,
  type BackupPart,
  type BackupStatus,
} from './backup-status.ts';
import { changeBackupStatus } from './change-backup-status.ts';
import { INTERRUPTED, recordAttempt } from './record-attempt.ts';

/** Records the outcome of scheduled backups, where `/readyz`, metrics, notifications, and the portal read it. */
export interface BackupRecorder {
  /** When a user requested a backup that has not ended. */
  readonly requestedAt: () => Promise<Date | undefined>;
  /** A complete backup begins. Without its end, it was interrupted. */
  readonly started: () => Promise<void>;
  /** A complete backup that this process did not begin is no longer running. */
  readonly interrupted: () => Promise<void>;
  /** A complete backup was stored. */
  readonly made: (id: string, bytes: number) => Promise<void>;
  /** Up to when changes are stored, and from when the database can be restored. */
  readonly changesStored: (until: Date, from?: Date) => Promise<void>;
  /** The newest trial restore in the backup location. */
  readonly tried: (at: Date) => Promise<void>;
  /** An attempt failed. Repeated failures are one audit event. */
  readonly failed: (part: BackupPart, error: unknown) => Promise<void>;
}

export interface BackupRecorderDeps {
  readonly database: Database;
  /** Where backups are stored. */
  readonly place: string;
  readonly clock: () => Date;
}

const REASON_CHARACTERS = 500;

export function createBackupRecorder(deps: BackupRecorderDeps): BackupRecorder {
  const { database, place, clock } = deps;
  const timestamp = (): string => clock().toISOString();
  const change = (work: (status: BackupStatus, tx: Transaction) => Promise<BackupStatus>) =>
    inTransaction(database, (tx) =>
      changeBackupStatus(tx, (found) => {
        const status = found?.place === place ? found : firstBackupStatus(place, timestamp());
        return work(status, tx);
      }),
    );
  return {
    requestedAt: async () => {
      const found = await readBackupStatus(database.orm);
      const at = found?.place === place ? found.requestedAt : null;
      return at === null ? undefined : new Date(at);
    },
    started: () => change(async (status) => ({ ...status, runningSince: timestamp() })),
    interrupted: () =>
      change(async (status) =>
        status.runningSince === null
          ? status
          : recordAttempt(status, timestamp(), { bytes: null, reason: INTERRUPTED }),
      ),
    made: (id, bytes) =>
      change(async (status, tx) => {
        const data = { backup: id, to: place, bytes };
        await recordAudit(tx, [{ type: 'installation.backed-up', actor: systemActor, data }]);
        const at = timestamp();
        const faults = { ...status.faults, complete: null };
        const ended = recordAttempt(status, at, { bytes, reason: null });
        return { ...ended, last: { id, at, bytes }, faults };
      }),
    changesStored: (until, from) =>
      change(async (status) => ({
        ...status,
        changesUntil: until.toISOString(),
        restorableFrom: from?.toISOString() ?? status.restorableFrom,
        faults: { ...status.faults, changes: null },
      })),
    tried: (at) => change(async (status) => ({ ...status, triedAt: at.toISOString() })),
    failed: (part, error) => change((status, tx) => fail(deps, { status, part, error }, tx)),
  };
}

async function fail(
  { place, clock }: BackupRecorderDeps,
  {
    status,
    part,
    error,
  }: { readonly status: BackupStatus; readonly part: BackupPart; readonly error: unknown },
  tx: Transaction,
): Promise<BackupStatus> {
  const at = clock().toISOString();
  const reason = reasonOf(error).slice(0, REASON_CHARACTERS);
  const known = status.faults[part];
  if (known === null) {
    const data = { to: place, part, reason };
    await recordAudit(tx, [{ type: 'installation.backup-failed', actor: systemActor, data }]);
  }
  const fault = { since: known?.since ?? at, reason };
  const ended = part === 'complete' ? recordAttempt(status, at, { bytes: null, reason }) : status;
  return { ...ended, faults: { ...status.faults, [part]: fault } };
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const own = textOf(error);
  return cause instanceof Error ? `${own} (${textOf(cause)})` : own;
}

/** Clients of AWS state the kind of an error only in its name. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
}
