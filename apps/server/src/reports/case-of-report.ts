import type { RequestOrigin } from '../platform/viewer.ts';

/**
 * The case to which an action on a report belongs: the case of the report, else the case in which the caller is
 * working.
 */
export const caseOfReport = (
  report: { readonly caseId: string | null },
  { caseId }: Pick<RequestOrigin, 'caseId'>,
): string | null => report.caseId ?? caseId ?? null;
