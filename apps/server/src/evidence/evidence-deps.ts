import type { AirBlastDeps } from '../air-blast/air-blast-deps.ts';
import type { AuditTrailDeps } from '../audit-trail/audit-trail-deps.ts';
import type { CasesDeps } from '../cases/cases-deps.ts';
import type { CommandsDeps } from '../commands/commands-deps.ts';
import type { LinkHolder } from '../platform/person-links.ts';

export interface EvidenceDeps extends AuditTrailDeps, CasesDeps, CommandsDeps, AirBlastDeps {
  /** A signed link to a file of evidence, for one user. */
  readonly signEvidenceUrl: (fileName: string, holder: LinkHolder) => string;
}
