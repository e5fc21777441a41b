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

/** Counts findings of the fleet; callers with the same scope share one count. */
export function createFindingCounts(deps: Deps): (viewer: Viewer) => Promise<FindingCounts> {
  const fresh = keepFresh((viewer: Viewer) => count(deps, viewer), fleetCounts);
  return (viewer) => fresh(JSON.stringify(scopesOf(viewer.grants, ['devices:read'])), viewer);
}

async function count({ database, clock }: Deps, viewer: Viewer): Promise<FindingCounts> {
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  // Two queries without a sort. A shared common table expression would be spilled to disk.
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

/** Progress of a sweep as a share of the fleet, whose size is the planner's estimate. */
async function sweepProgress(on: Executor): Promise<number | null> {
  const progress = await loadProgress(on);
  if (progress === undefined) return 0;
  if (progress.sweptTo === null) return null;
  const size = Math.max(await estimateDevices(on), progress.swept, 1);
  return Math.min(1, progress.swept / size);
}
