import type { Database } from '../platform/database/database.ts';
import type { BackupSchedule } from './backup-problem.ts';

export interface BackupsDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Undefined if no backups are scheduled. */
  readonly backups: BackupsSettings | undefined;
}

export interface BackupsSettings extends BackupSchedule {
  readonly keptDays: number;
  readonly place: string;
  readonly database: 'embedded' | 'external';
  /** When this server started. */
  readonly since: Date;
}
