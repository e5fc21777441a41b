import { z } from 'zod';
import type { Database } from '../platform/database/database.ts';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { insertFleetTrend } from './data/fleet-trend-queries.ts';

interface Deps {
  readonly database: Pick<Database, 'orm'>;
  readonly clock: () => Date;
}

/**
 * Stores the current state of the fleet: one row per hour, country, and model. The last write of an hour replaces
 * earlier ones, so several servers or a restart count nothing twice.
 */
export async function recordFleetTrend({ database, clock }: Deps): Promise<void> {
  await insertFleetTrend(database.orm, clock());
}

/** Every 15 minutes, so that a new installation soon has its first point. */
export function scheduleFleetTrend(deps: Deps & { readonly jobs: Jobs }): void {
  const record = defineJob('fleet-trend-record', z.object({}), () => recordFleetTrend(deps));
  deps.jobs.define(record);
  deps.jobs.schedule(record, '*/15 * * * *', {});
}
