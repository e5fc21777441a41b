import { findNamedDevices } from '../devices/data/search/find-named-devices.ts';
import { findSomeOfSet, type WatchedDevices } from '../devices/data/search/watched-devices.ts';
import type { Transaction } from '../platform/database/database.ts';
import { countsForRule, rowsOfRules, type RuleCondition } from './data/rule-rows.ts';

/** Devices named in a notice and linked to a case. */
const NAMED = 10;

export type CountedDevice = Awaited<ReturnType<typeof findNamedDevices>>[number];

/** Some of the devices that a rule counts. */
export async function findCountedDevices(
  tx: Transaction,
  rule: RuleCondition,
  { watched, at }: { readonly watched: WatchedDevices; readonly at: Date },
): Promise<readonly CountedDevice[]> {
  const set = { watched, condition: countsForRule(rule, at) };
  const ids = await findSomeOfSet(tx, rowsOfRules([rule], at), { set, limit: NAMED });
  return findNamedDevices(tx, ids);
}
