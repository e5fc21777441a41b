import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts } from '@deviceportal/contract/findings';

/** What a finding says about commands; that they failed is a fact about the device. */
const ofCommands: Partial<Record<FindingRule, readonly string[]>> = {
  'repeated-failures': ['command', 'statusDetails', 'responseCode', 'invocationId'],
};

/** The facts of a finding for a viewer who cannot see the commands of its device. */
export function withoutCommands(rule: FindingRule, facts: FindingFacts): FindingFacts {
  const hidden = ofCommands[rule] ?? [];
  return { ...facts, ...Object.fromEntries(hidden.map((name) => [name, null])) };
}
