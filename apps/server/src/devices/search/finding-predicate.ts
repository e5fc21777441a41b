import { sql, type SQL } from 'drizzle-orm';
import { findingRules, isFindingRule } from '@deviceportal/contract/finding-rules';
import { fromRows, onDevice, source, type Branch, type Predicate } from './device-predicate.ts';

/** Any rule at all. */
const ANY = 'any';

export function isFinding(text: string): boolean {
  return text === ANY || isFindingRule(text);
}

/** Devices about which a rule has found something, as the record has it. */
export function hasFinding(rule: string): Predicate {
  const told = rule === ANY ? sql`true` : sql`f.rule = ${rule}`;
  const holds = (device: SQL) =>
    sql`exists (select from finding f where f.device_id = ${device} and ${told} offset 0)`;
  return {
    ...onDevice(holds(sql`d.id`), [
      // One device may have several: in order they are merged from the rules, each of which has an order of its own.
      rule === ANY ? source(findingRules.map(toldBy)) : source([toldBy(rule)]),
    ]),
    whereOnStatus: holds(sql`s.device_id`),
  };
}

function toldBy(rule: string): Branch {
  const sorts = ['serialNumber', 'name'] as const;
  return {
    ...fromRows(sql`finding b`, sql`b.rule = ${rule}`),
    keys: sorts,
    ordered: sorts,
  };
}
