import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import { holdUntilCommit } from '../platform/database/advisory-lock.ts';
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts';
import {
  keepBackupStatus,
  readBackupStatus,
  type BackupPart,
  type BackupStatus,
} from './backup-status.ts';

/** Records the outcome of scheduled backups, where `/readyz`, metrics, and notifications read it. */
export interface BackupRecorder {
  /** A complete backup was stored. */
  readonly made: (id: string, bytes: number) => Promise<void>;
  readonly changesStored: (until: Date) => Promise<void>;
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

export function createBackupRecorder({
  database,
  place,
  clock,
}: BackupRecorderDeps): BackupRecorder {
  const timestamp = (): string => clock().toISOString();
  const change = (work: (status: BackupStatus, tx: Transaction) => Promise<BackupStatus>) =>
    inTransaction(database, async (tx) => {
      await holdUntilCommit(tx, 'backup-status');
      const found = await readBackupStatus(tx);
      const first: BackupStatus = {
        ...{ place, since: timestamp(), last: null, changesUntil: null },
        faults: { complete: null, changes: null },
      };
      await keepBackupStatus(tx, await work(found?.place === place ? found : first, tx));
    });
  return {
    made: (id, bytes) =>
      change(async (status, tx) => {
        const data = { backup: id, to: place, bytes };
        await recordAudit(tx, [{ type: 'installation.backed-up', actor: systemActor, data }]);
        const faults = { ...status.faults, complete: null };
        return { ...status, last: { id, at: timestamp(), bytes }, faults };
      }),
    changesStored: (until) =>
      change(async (status) => ({
        ...status,
        changesUntil: until.toISOString(),
        faults: { ...status.faults, changes: null },
      })),
    failed: (part, error) =>
      change(async (status, tx) => {
        const reason = reasonOf(error).slice(0, REASON_CHARACTERS);
        const known = status.faults[part];
        if (known === null) {
          const data = { to: place, part, reason };
          await recordAudit(tx, [{ type: 'installation.backup-failed', actor: systemActor, data }]);
        }
        const fault = { since: known?.since ?? timestamp(), reason };
        return { ...status, faults: { ...status.faults, [part]: fault } };
      }),
  };
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const own = error instanceof Error ? error.message : String(error);
  return cause instanceof Error ? `${own} (${cause.message})` : own;
}
