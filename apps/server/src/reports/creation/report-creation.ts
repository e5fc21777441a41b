import { holds, type Permission } from '@deviceportal/contract/permissions';
import type { ReportGap, ReportSource } from '@deviceportal/contract/user-report-document';
import type { RequestOrigin, Viewer } from '../../platform/viewer.ts';
import type { StoredReport } from '../data/report-queries.ts';
import type { CreateReportDeps } from '../reports-deps.ts';

/** Shared state of the steps that create a report. Gaps and sources are recorded as they occur. */
export interface ReportCreation {
  readonly deps: CreateReportDeps;
  readonly viewer: Viewer;
  readonly origin: RequestOrigin;
  readonly report: StoredReport;
  readonly gaps: ReportGap[];
  readonly sources: ReportSource[];
}

/** Whether a part is requested and permitted; a part that is not permitted is recorded as a gap. */
export function mayRead(
  { viewer, report, gaps }: ReportCreation,
  part: StoredReport['parts'][number],
  permission: Permission,
): boolean {
  if (!report.parts.includes(part)) return false;
  if (holds(viewer.grants, permission)) return true;
  gaps.push({ code: 'needs-permission', facts: { part, permission } });
  return false;
}
