import type { ReportFinding } from '@deviceportal/contract/user-report-document';

/** Active findings before resolved ones, errors before warnings, newest first. */
export function byReportUrgency(one: ReportFinding, other: ReportFinding): number {
  const rank = ({ until, severity }: ReportFinding): number =>
    (until === null ? 0 : 2) + (severity === 'error' ? 0 : 1);
  if (rank(one) !== rank(other)) return rank(one) - rank(other);
  return (one.since ?? '') < (other.since ?? '') ? 1 : -1;
}
