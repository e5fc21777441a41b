import type { FleetSummary } from '@deviceportal/contract/devices';
import { scopesOf } from '@deviceportal/contract/permissions';
import { connectivity as connectivityStates, deviceLifecycle } from '@deviceportal/contract/states';
import type { Database } from '../../platform/database/database.ts';
import { countedStates } from '../../fleet-counts/read-fleet-counts.ts';
import { fleetCounts, keepFresh } from '../../platform/keep-fresh.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { countFleet } from '../data/list/fleet-count-queries.ts';

const LISTED_VALUES = 50;
const DAY_MS = 86_400_000;

type CountRow = Awaited<ReturnType<typeof countFleet>>[number];

/** Counts the fleet, except retired devices; viewers with the same scope share one count. */
export function createFleetSummary(deps: {
  readonly database: Database;
  readonly clock: () => Date;
}): (viewer: Viewer) => Promise<FleetSummary> {
  const fresh = keepFresh((viewer: Viewer) => summarize(deps, viewer), fleetCounts);
  return (viewer) => fresh(JSON.stringify(scopesOf(viewer.grants, ['devices:read'])), viewer);
}

async function summarize(
  deps: { readonly database: Database; readonly clock: () => Date },
  viewer: Viewer,
): Promise<FleetSummary> {
  const now = deps.clock();
  const kept = await countedStates(deps, viewer);
  const counted =
    kept?.rows ?? (await countFleet(deps.database.orm, viewer, new Date(now.getTime() - DAY_MS)));
  const inService = counted.filter((row) => row.lifecycle !== 'retired');
  return {
    total: sum(inService),
    connectivity: zeroed(connectivityStates, (state) =>
      sum(inService.filter((row) => row.connectivity === state)),
    ),
    lifecycle: zeroed(deviceLifecycle, (state) =>
      sum(counted.filter((row) => row.lifecycle === state)),
    ),
    offlineOverADay: sum(inService.filter((row) => row.old)),
    byCountry: most(inService, (row) => row.country).map(([country, count]) => ({
      country,
      count,
    })),
    byModel: most(inService, (row) => row.model).map(([model, count]) => ({ model, count })),
    asOf: (kept?.asOf ?? now).toISOString(),
  };
}

function sum(rows: readonly Pick<CountRow, 'count'>[]): number {
  return rows.reduce((total, row) => total + row.count, 0);
}

function zeroed<State extends string>(
  states: Readonly<Record<State, unknown>>,
  count: (state: State) => number,
): Record<State, number> {
  const names = Object.keys(states) as State[];
  return Object.fromEntries(names.map((state) => [state, count(state)])) as Record<State, number>;
}

function most(
  rows: readonly CountRow[],
  valueOf: (row: CountRow) => string | null,
): [value: string, count: number][] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = valueOf(row);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + row.count);
  }
  return [...counts].toSorted(([, one], [, other]) => other - one).slice(0, LISTED_VALUES);
}
