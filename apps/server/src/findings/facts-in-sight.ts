import { sql, type SQL } from 'drizzle-orm';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts } from '@deviceportal/contract/findings';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Viewer } from '../platform/viewer.ts';

/** What a finding says about commands; that they failed is a fact about the device. */
const ofCommands: Partial<Record<FindingRule, readonly string[]>> = {
  'repeated-failures': ['command', 'statusDetails', 'responseCode', 'invocationId'],
};

/** The facts of a finding for a viewer who cannot see the commands of its device. */
export function withoutCommands(rule: FindingRule, facts: FindingFacts): FindingFacts {
  const hidden = ofCommands[rule] ?? [];
  return { ...facts, ...Object.fromEntries(hidden.map((name) => [name, null])) };
}

/** Whether a viewer sees the commands of the device in the row `d`. */
export const seesCommands = (viewer: Viewer): SQL =>
  sql`(${deviceScopeCondition(scopesOf(viewer.grants, ['commands:read']))}) is true`;
