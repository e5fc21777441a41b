import { findingRules, type FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingCount, FindingCounts } from '@deviceportal/contract/findings';
import { scopesOf } from '@deviceportal/contract/permissions';
import { estimateDevices } from '../devices/data/estimate-devices.ts';
import type { FindingCountRow } from '../fleet-counts/data/count-queries.ts';
import { countedFindings } from '../fleet-counts/read-fleet-counts.ts';
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

async function count(deps: Deps, viewer: Viewer): Promise<FindingCounts> {
  const [kept, progress] = await Promise.all([
    countedFindings(deps, viewer),
    sweepProgress(deps.database.orm),
  ]);
  const { byRule, devices } = kept === null ? await countNow(deps, viewer) : ofCounters(kept.rows);
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
    progress,
    asOf: (kept?.asOf ?? deps.clock()).toISOString(),
  };
}

interface Counts {
  readonly byRule: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly n: number;
  }[];
  readonly devices: number;
}

function ofCounters(rows: readonly FindingCountRow[]): Counts {
  const total = new Map<string, Counts['byRule'][number]>();
  for (const { rule, severity, count: n } of rows) {
    const key = `${rule} ${severity}`;
    total.set(key, { rule, severity, n: n + (total.get(key)?.n ?? 0) });
  }
  return { byRule: [...total.values()], devices: total.get(' ')?.n ?? 0 };
}

async function countNow({ database }: Deps, viewer: Viewer): Promise<Counts> {
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  // Two queries without a sort. A shared common table expression would be spilled to disk.
  const [byRule, devices] = await Promise.all([
    countByRule(database.orm, scopes),
    countDevices(database.orm, scopes),
  ]);
  return { byRule, devices };
}

/** Progress of a sweep as a share of the fleet, whose size is the planner's estimate. */
async function sweepProgress(on: Executor): Promise<number | null> {
  const progress = await loadProgress(on);
  if (progress === undefined) return 0;
  if (progress.sweptTo === null) return null;
  const size = Math.max(await estimateDevices(on), progress.swept, 1);
  return Math.min(1, progress.swept / size);
}
