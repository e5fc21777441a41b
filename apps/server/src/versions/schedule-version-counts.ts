import { z } from 'zod';
import { inTransaction, type Database } from '../platform/database/database.ts';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { recordAdoption } from './record-adoption.ts';
import { applyCellDeltas, recountCells } from './data/cell-state-queries.ts';

const DELTA_BATCH = 50_000;

/** Jobs that apply pending counts, recount, and store daily adoption. */
export function scheduleVersionCounts(deps: {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: () => Date;
}): void {
  const { database, jobs } = deps;
  const nothing = z.object({});
  const fold = defineJob('versions-fold-counts', nothing, async () => {
    while ((await applyCellDeltas(database.orm, DELTA_BATCH)) === DELTA_BATCH);
  });
  const record = defineJob('versions-record-adoption', nothing, () => recordAdoption(deps));
  const recount = defineJob('versions-recount', nothing, () =>
    inTransaction(database, (tx) => recountCells(tx)),
  );
  for (const job of [fold, record, recount]) jobs.define(job);
  jobs.schedule(fold, '* * * * *', {});
  // Hourly: the last record of a day is kept.
  jobs.schedule(record, '58 * * * *', {});
  jobs.schedule(recount, '23 2 * * *', {});
}
