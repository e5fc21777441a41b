import { checkParameters } from '@deviceportal/contract/command-parameters';
import type { DocumentParameter, ParameterValue } from '@deviceportal/contract/ssm-document';
import { refuse } from '@deviceportal/contract/refuse';
import { createPatternMatcher } from '../../platform/text/match-pattern.ts';

/**
 * Parameter values of a run: the input, completed with defaults.
 *
 * @throws PortalError 2004 with a path `['parameters', name]` for every invalid value
 */
export function validateParameters(
  declared: Readonly<Record<string, DocumentParameter>>,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ParameterValue>> {
  const { values, issues } = checkParameters(declared, given, createPatternMatcher());
  if (issues.length > 0) throw refuse('input-invalid', { issues });
  return values;
}
