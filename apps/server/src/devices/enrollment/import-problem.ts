import type { ImportProblem } from '@deviceportal/contract/devices';
import type { PortalError } from '@deviceportal/contract/errors';

/** A line that is left out, by the refusal that would have answered it alone. */
export function importProblem(
  { line, column }: Pick<ImportProblem, 'column' | 'line'>,
  { reason, facts, message }: PortalError,
): ImportProblem {
  return { line, column, reason: reason ?? 'input-invalid', facts, message };
}
