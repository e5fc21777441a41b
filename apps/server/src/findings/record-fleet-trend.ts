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
 * Writes down how the fleet is: one row for each hour, country and model. Within its hour the last one stays, so that
 * several servers, or one that starts again, count nothing twice.
 */
export async function recordFleetTrend({ database, clock }: Deps): Promise<void> {
  await insertFleetTrend(database.orm, clock());
}

/** Every quarter of an hour: a fleet that has just been set up has its first point soon. */
export function scheduleFleetTrend(deps: Deps & { readonly jobs: Jobs }): void {
  const record = defineJob('fleet-trend-record', z.object({}), () => recordFleetTrend(deps));
  deps.jobs.define(record);
  deps.jobs.schedule(record, '*/15 * * * *', {});
}
