/**
 * `StringEquals: [platformType, Linux]`: whether a step applies to this machine. Either side can be
 * a reference.
 */

import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import type { PlatformType } from '../machine/machine.ts';
import { substituteParameters, type SubstitutionValues } from './substitute-parameters.ts';

export interface PreconditionResult {
  readonly holds: boolean;
  /** Whether the step was skipped because of the platform, not because of a parameter. */
  readonly byPlatform: boolean;
}

export function checkPrecondition(
  step: Pick<DocumentStep, 'precondition'>,
  values: SubstitutionValues,
  platformType: PlatformType,
): PreconditionResult {
  if (!step.precondition) return { holds: true, byPlatform: false };
  const sides = step.precondition.StringEquals;
  const [left, right] = sides.map((side) =>
    isPlatformReference(side) ? platformType : String(substituteParameters(side, values)),
  );
  return { holds: left === right, byPlatform: sides.some(isPlatformReference) };
}

function isPlatformReference(side: string): boolean {
  return /^(platformType|\{\{\s*platformType\s*\}\})$/.test(side);
}
