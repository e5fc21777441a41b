import type { FileStore } from '../platform/files/file-store.ts';
import type { LinkHolder } from '../platform/person-links.ts';

import type { AnchorPlace } from './anchors/anchor-target.ts';
import type { AuditSigner } from './audit-signer.ts';
import type { RecordSources } from './archive/read-records.ts';

/** Dependencies of the audit trail's use cases. */
export interface AuditTrailDeps extends RecordSources {
  readonly clock: () => Date;
  /** Signs what is sealed and exported. */
  readonly auditSigner: AuditSigner;
  /** Minimum retention of events. */
  readonly keptDays: number;
  /** Destinations of blocks outside the database. */
  readonly anchors: readonly AnchorPlace[];
  /** Finished exports. */
  readonly exportFiles: FileStore;
  /** A signed link to one of these files, for one user. */
  readonly signExportUrl: (fileName: string, holder: LinkHolder) => string;
}
