import { z } from 'zod';
import type { Database } from '../platform/database/database.ts';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/logging.ts';
import { ensureAuditMonths } from './ensure-audit-months.ts';

/** Keeps the months of the audit trail: made before they begin. */
export function scheduleAuditMonths(deps: {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: () => Date;
  readonly logger: Logger;
}): void {
  const { jobs, clock, logger } = deps;
  const keep = defineJob('audit-trail-keep-months', z.object({}), async () => {
    const made = await ensureAuditMonths(deps, clock());
    if (made > 0) logger.info({ made }, 'months of the audit trail were made');
  });
  jobs.define(keep);
  jobs.schedule(keep, '7 * * * *', {});
}
