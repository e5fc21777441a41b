import type { Finding } from '@deviceportal/contract/findings';
import type { Database } from '../platform/database/database.ts';
import { loadFacts } from './device-facts.ts';
import type { RuleSettings } from './finding-rule.ts';
import { loadOpenFindings } from './data/finding-queries.ts';
import { evaluateFindings } from './evaluate-findings.ts';

/** Evaluates the findings of a device now, most severe first. `since` is that of the stored finding if there is one. */
export async function evaluateDevice(
  deps: { readonly database: Database; readonly clock: () => Date },
  deviceId: string,
  settings: RuleSettings,
): Promise<Finding[]> {
  const on = deps.database.orm;
  const [facts] = await loadFacts(on, [deviceId]);
  if (facts === undefined) return [];
  const { findings } = evaluateFindings(facts, deps.clock(), settings);
  if (findings.length === 0) return [];
  const open = new Map(
    (await loadOpenFindings(on, [deviceId])).map(({ rule, openedAt }) => [rule, openedAt]),
  );
  return findings.map((finding) => ({
    ...finding,
    since: open.get(finding.rule) ?? finding.since,
  }));
}
