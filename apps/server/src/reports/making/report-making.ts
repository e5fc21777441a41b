import { holds, type Permission } from '@deviceportal/contract/permissions';
import type { ReportGap, ReportSource } from '@deviceportal/contract/user-report-document';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { StoredReport } from '../data/report-queries.ts';
import type { MakeReportDeps } from '../reports-deps.ts';

/** What the steps of one making share. Gaps and sources are noted as they are met. */
export interface ReportMaking {
  readonly deps: MakeReportDeps;
  readonly viewer: Viewer;
  readonly origin: RequestOrigin;
  readonly report: StoredReport;
  readonly gaps: ReportGap[];
  readonly sources: ReportSource[];
}

/** Whether a part is wanted and allowed; what is not allowed is said. */
export function mayRead(
  { viewer, report, gaps }: ReportMaking,
  part: StoredReport['parts'][number],
  permission: Permission,
): boolean {
  if (!report.parts.includes(part)) return false;
  if (holds(viewer.grants, permission)) return true;
  gaps.push({ code: 'needs-permission', facts: { part, permission } });
  return false;
}
