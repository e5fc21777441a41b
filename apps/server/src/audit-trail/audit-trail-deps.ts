import type { Database } from '../platform/database/database.ts';
import type { LinkHolder } from '../platform/person-links.ts';

import type { AuditSigner } from './audit-signer.ts';

/** What the use-cases of the audit trail work with. */
export interface AuditTrailDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Signs what is sealed and exported. */
  readonly auditSigner: AuditSigner;
  /** Directory for finished exports. */
  readonly exportsDir: string;
  /** A signed link to a file of that directory, for one person. */
  readonly signExportUrl: (fileName: string, holder: LinkHolder) => string;
}
