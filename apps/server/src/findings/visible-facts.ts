import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts } from '@deviceportal/contract/findings';

/** Facts of findings that reveal commands. That commands failed is a fact about the device. */
const ofCommands: Partial<Record<FindingRule, readonly string[]>> = {
  'repeated-failures': ['command', 'statusDetails', 'responseCode', 'invocationId'],
};

/** The facts of a finding for a viewer without permission to see the commands of the device. */
export function withoutCommands(rule: FindingRule, facts: FindingFacts): FindingFacts {
  const hidden = ofCommands[rule] ?? [];
  return { ...facts, ...Object.fromEntries(hidden.map((name) => [name, null])) };
}
