import { findingRules, type FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingCount, FindingCounts } from '@deviceportal/contract/findings';
import { scopesOf } from '@deviceportal/contract/permissions';
import { estimateDevices } from '../devices/data/estimate-devices.ts';
import type { Database, Executor } from '../platform/database/database.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import { countByRule, countDevices } from './data/finding-count-queries.ts';
import { loadProgress } from './data/finding-progress-queries.ts';

interface Deps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** Counts what is wrong with the fleet once for everyone with the same scope, however many look at it. */
export function createFindingCounts(deps: Deps): (viewer: Viewer) => Promise<FindingCounts> {
  const fresh = keepFresh((viewer: Viewer) => count(deps, viewer), fleetCounts);
  return (viewer) => fresh(JSON.stringify(scopesOf(viewer.grants, ['devices:read'])), viewer);
}

async function count({ database, clock }: Deps, viewer: Viewer): Promise<FindingCounts> {
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  // Two readings, each without a sort: what both had in common would be written to the disk in between.
  const [byRule, devices] = await Promise.all([
    countByRule(database.orm, scopes),
    countDevices(database.orm, scopes),
  ]);
  const of = (rule: FindingRule, severity: string): number =>
    byRule.find((row) => row.rule === rule && row.severity === severity)?.n ?? 0;
  return {
    rules: findingRules
      .map((rule): FindingCount => ({
        rule,
        errors: of(rule, 'error'),
        warnings: of(rule, 'warning'),
      }))
      .filter(({ errors, warnings }) => errors + warnings > 0),
    devices,
    progress: await sweepProgress(database.orm),
    asOf: clock().toISOString(),
  };
}

/** Which share of the fleet a look at all has been through, by the planner's figure of its size. */
async function sweepProgress(on: Executor): Promise<number | null> {
  const progress = await loadProgress(on);
  if (progress === undefined) return 0;
  if (progress.sweptTo === null) return null;
  const size = Math.max(await estimateDevices(on), progress.swept, 1);
  return Math.min(1, progress.swept / size);
}
