import type { RequestOrigin } from '../platform/viewer.ts';

/** Where an act on a report is told: in the case that it is the report of, else in the one in which somebody works. */
export const caseOfReport = (
  report: { readonly caseId: string | null },
  { caseId }: Pick<RequestOrigin, 'caseId'>,
): string | null => report.caseId ?? caseId ?? null;
