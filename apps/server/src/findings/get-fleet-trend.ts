import { FLEET_TREND_DAYS, type FleetTrend } from '@deviceportal/contract/findings';
import { scopesOf } from '@deviceportal/contract/permissions';
import type { Database } from '../platform/database/database.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import { readFleetTrend } from './data/fleet-trend-queries.ts';

interface Deps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** Reads the fleet trend; callers with the same scope share one query. */
export function createFleetTrend(deps: Deps): (viewer: Viewer) => Promise<FleetTrend> {
  const fresh = keepFresh((viewer: Viewer) => read(deps, viewer), fleetCounts);
  return (viewer) => fresh(JSON.stringify(scopesOf(viewer.grants, ['devices:read'])), viewer);
}

async function read({ database, clock }: Deps, viewer: Viewer): Promise<FleetTrend> {
  const scopes = scopesOf(viewer.grants, ['devices:read']);
  // Past labels are not stored, so a scope by labels has no trend.
  if (scopes.some(({ labels }) => Object.keys(labels).length > 0)) return { points: null };
  const points = await readFleetTrend(database.orm, scopes, {
    now: clock(),
    days: FLEET_TREND_DAYS,
  });
  return { points: points.map((point) => ({ ...point, at: point.at.toISOString() })) };
}
