import type { LinkHolder } from '../platform/person-links.ts';

import type { AnchorPlace } from './anchors/anchor-target.ts';
import type { AuditSigner } from './audit-signer.ts';
import type { RecordSources } from './archive/read-records.ts';

/** What the use-cases of the audit trail work with. */
export interface AuditTrailDeps extends RecordSources {
  readonly clock: () => Date;
  /** Signs what is sealed and exported. */
  readonly auditSigner: AuditSigner;
  /** How many days events are kept at least. */
  readonly keptDays: number;
  /** Places outside that keep blocks of the chain, with the least time between deliveries. */
  readonly anchors: readonly AnchorPlace[];
  /** Directory for finished exports. */
  readonly exportsDir: string;
  /** A signed link to a file of that directory, for one person. */
  readonly signExportUrl: (fileName: string, holder: LinkHolder) => string;
}
