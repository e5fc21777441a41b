import type { ImportProblem } from '@deviceportal/contract/devices';
import type { PortalError } from '@deviceportal/contract/errors';

/** A skipped line with the error that it would cause by itself. */
export function importProblem(
  { line, column }: Pick<ImportProblem, 'column' | 'line'>,
  { reason, facts, message }: PortalError,
): ImportProblem {
  return { line, column, reason: reason ?? 'input-invalid', facts, message };
}
