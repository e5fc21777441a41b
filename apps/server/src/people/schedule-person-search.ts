import { z } from 'zod';
import type { Database } from '../platform/database/database.ts';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { fillPersonSearch } from './data/fill-person-search.ts';

const BATCH = 1_000;

/** After an upgrade, makes the people of the release before searchable by sound and in pinyin, in batches. */
export function schedulePersonSearch(deps: {
  readonly database: Database;
  readonly jobs: Jobs;
}): void {
  let isFilled = false;
  const fill = defineJob('people-fill-search', z.object({}), async () => {
    if (isFilled) return;
    let after: string | null = null;
    do {
      after = await fillPersonSearch(deps.database.orm, { after, limit: BATCH });
    } while (after !== null);
    // Triggers keep all later people searchable.
    isFilled = true;
  });
  deps.jobs.define(fill);
  deps.jobs.schedule(fill, '* * * * *', {});
}
