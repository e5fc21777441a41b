import type { ImportDetail, ImportProblem } from '@deviceportal/contract/imports';
import type { OperationOutput } from '@deviceportal/contract/public-api';

/** An import as applications see it. */
export function importOf(detail: ImportDetail): OperationOutput<'getImport'> {
  const { id, kind, state, fileName, counts, createdAt, confirmedAt, keptUntil, canUndo } = detail;
  return {
    ...{ id, kind, state, fileName, createdAt, confirmedAt, keptUntil, canUndo },
    counts: { ...counts },
    ignoredColumns: [...detail.ignoredColumns],
    problem:
      detail.problem === null ? null : { ...problemOf(detail.problem), line: detail.problem.line },
  };
}

export const problemOf = ({ column, reason, message }: ImportProblem) => ({
  column,
  reason,
  message,
});
