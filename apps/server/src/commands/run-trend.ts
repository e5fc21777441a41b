import { z } from 'zod';
import { scopesOf } from '@deviceportal/contract/permissions';
import { RUN_TREND_DAYS, type RunTrend } from '@deviceportal/contract/runs';
import type { Database } from '../platform/database/database.ts';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { fleetCounts, keepFresh } from '../platform/keep-fresh.ts';
import type { Viewer } from '../platform/viewer.ts';
import { insertRunTrend, readRunTrend } from './data/runs/run-trend-queries.ts';

interface Deps {
  readonly database: Pick<Database, 'orm'>;
  readonly clock: () => Date;
}

/** Reads the results of runs per day; callers with the same scope share one query. */
export function createRunTrend(deps: Deps): (viewer: Viewer) => Promise<RunTrend> {
  const fresh = keepFresh((viewer: Viewer) => read(deps, viewer), fleetCounts);
  return (viewer) => fresh(JSON.stringify(scopesOf(viewer.grants, ['commands:read'])), viewer);
}

async function read({ database, clock }: Deps, viewer: Viewer): Promise<RunTrend> {
  const scopes = scopesOf(viewer.grants, ['commands:read']);
  // Counts are not kept by label, so a scope by labels has no trend.
  if (scopes.some(({ labels }) => Object.keys(labels).length > 0)) return { days: null };
  return {
    days: await readRunTrend(database.orm, scopes, { now: clock(), days: RUN_TREND_DAYS }),
  };
}

export const recordRunTrend = ({ database, clock }: Deps): Promise<void> =>
  insertRunTrend(database.orm, { now: clock(), days: RUN_TREND_DAYS });

/** Every 15 minutes, so that today’s results appear soon. */
export function scheduleRunTrend(deps: Deps & { readonly jobs: Jobs }): void {
  const record = defineJob('run-trend-record', z.object({}), () => recordRunTrend(deps));
  deps.jobs.define(record);
  deps.jobs.schedule(record, '7,22,37,52 * * * *', {});
}
