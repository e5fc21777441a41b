import { sql } from 'drizzle-orm';
import { findingRules, type FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingCount, FindingCounts } from '@deviceportal/contract/findings';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition, isEverywhere } from '../devices/device-scope-condition.ts';
import type { Database, Executor } from '../platform/database/database.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import { loadProgress } from './progress-store.ts';

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
  const within = scopes.some(isEverywhere)
    ? sql``
    : sql`join device d on d.id = f.device_id and ${deviceScopeCondition(scopes)}`;
  // Two readings, each without a sort: what both had in common would be written to the disk in between.
  const [byRule, devices] = await Promise.all([
    database.orm.execute<{ rule: FindingRule; severity: string; n: number }>(sql`
      select f.rule, f.severity, count(*)::int as n from finding f ${within} group by 1, 2`),
    database.orm.execute<{ n: number }>(sql`
      select count(*)::int as n from (select f.device_id from finding f ${within} group by 1) device_with`),
  ]);
  const of = (rule: FindingRule, severity: string): number =>
    byRule.rows.find((row) => row.rule === rule && row.severity === severity)?.n ?? 0;
  return {
    rules: findingRules
      .map((rule): FindingCount => ({
        rule,
        errors: of(rule, 'error'),
        warnings: of(rule, 'warning'),
      }))
      .filter(({ errors, warnings }) => errors + warnings > 0),
    devices: devices.rows[0]?.n ?? 0,
    progress: await sweepProgress(database.orm),
    asOf: clock().toISOString(),
  };
}

/** Which share of the fleet a look at all has been through, by the planner's figure of its size. */
async function sweepProgress(on: Executor): Promise<number | null> {
  const progress = await loadProgress(on);
  if (progress === undefined) return 0;
  if (progress.sweptTo === null) return null;
  const { rows } = await on.execute<{ size: number }>(
    sql`select reltuples::float8 as size from pg_class where oid = 'device'::regclass`,
  );
  const size = Math.max(rows[0]?.size ?? 0, progress.swept, 1);
  return Math.min(1, progress.swept / size);
}
