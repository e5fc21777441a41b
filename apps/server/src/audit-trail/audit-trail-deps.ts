import type { Database } from '../platform/database/database.ts';

/** What the use-cases of the audit trail work with. */
export interface AuditTrailDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Directory for finished exports. */
  readonly exportsDir: string;
  /** A signed link to a file of that directory. */
  readonly signExportUrl: (fileName: string) => string;
}
