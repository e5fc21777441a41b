import { sql, type SQLWrapper } from 'drizzle-orm';
import { findingRules, isFindingRule } from '@deviceportal/contract/finding-rules';
import { openFindings } from '../../../findings/data/open-findings.ts';
import {
  copiedKeys,
  fromRows,
  onDevice,
  source,
  type Branch,
  type Predicate,
} from './device-predicate.ts';
import { d, s } from './search-rows.ts';

/** Value for any rule. */
const ANY = 'any';

export function isFinding(text: string): boolean {
  return text === ANY || isFindingRule(text);
}

/** Devices with a finding of a rule. */
export function hasFinding(rule: string): Predicate {
  const ofRule = rule === ANY ? sql`true` : sql`${openFindings.rule} = ${rule}`;
  const holds = (deviceId: SQLWrapper) =>
    sql`exists (select from ${openFindings} where ${openFindings.deviceId} = ${deviceId} and ${ofRule} offset 0)`;
  return {
    ...onDevice(holds(d.id), [
      // A device can have several findings. In order, they are merged from the rules, each of which is ordered.
      source((rule === ANY ? findingRules : [rule]).map(devicesWithRule), { isEstimated: true }),
    ]),
    whereOnStatus: holds(s.deviceId),
    whereOnId: holds,
  };
}

function devicesWithRule(rule: string): Branch {
  const { deviceId } = openFindings;
  return fromRows(
    { from: openFindings, deviceId },
    sql`${openFindings.rule} = ${rule}`,
    copiedKeys(openFindings),
  );
}
