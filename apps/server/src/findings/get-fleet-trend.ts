import { sql, type SQL } from 'drizzle-orm';
import { FLEET_TREND_DAYS, type FleetTrend } from '@deviceportal/contract/findings';
import { scopesOf, type Scope } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';

interface Deps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** How the fleet was of late, read once for everyone with the same scope. */
export function createFleetTrend(deps: Deps): (viewer: Viewer) => Promise<FleetTrend> {
  const fresh = keepFresh((viewer: Viewer) => read(deps, viewer), fleetCounts);
  return (viewer) => fresh(JSON.stringify(scopesOf(viewer.grants, ['devices:read'])), viewer);
}

async function read({ database, clock }: Deps, viewer: Viewer): Promise<FleetTrend> {
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  // Labels were not written down: what lies within them is not known of the past.
  if (scopes.some(({ labels }) => Object.keys(labels).length > 0)) return { points: null };
  const within = sql.join(scopes.map(conditionOf), sql` or `);
  const { rows } = await database.orm.execute<Record<string, never>>(sql`
    select at, sum(devices)::int as devices, sum(online)::int as online, sum(with_findings)::int as "withFindings"
    from fleet_trend
    where at > ${clock().toISOString()}::timestamptz - make_interval(days => ${FLEET_TREND_DAYS}) and (${within})
    group by at order by at`);
  const points = rows as unknown as readonly NonNullable<FleetTrend['points']>[number][];
  return { points: points.map((point) => ({ ...point, at: isoOf(point.at) })) };
}

function conditionOf({ countries, models }: Scope): SQL {
  const among = (column: SQL, values: readonly string[]): SQL =>
    values.length === 0 ? sql`true` : sql`${column} = any(${sql.param([...values])}::text[])`;
  return sql`(${among(sql`country`, countries)} and ${among(sql`model`, models)})`;
}
