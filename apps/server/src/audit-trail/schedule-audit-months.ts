import { z } from 'zod';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/logging.ts';
import { archiveAuditMonths, type ArchiveDeps } from './archive/archive-audit-months.ts';
import { deleteEndedMonths } from './archive/delete-ended-months.ts';
import { ensureAuditMonths } from './data/archive/ensure-audit-months.ts';

const DAY_MS = 86_400_000;

/** Schedules the jobs that create months of the audit trail, archive them, and delete them after their retention. */
export function scheduleAuditMonths(
  deps: ArchiveDeps & {
    readonly jobs: Jobs;
    readonly clock: () => Date;
    readonly logger: Logger;
    readonly tableDays: number;
    readonly keptDays: number;
  },
): void {
  const { jobs, clock, logger, tableDays, keptDays } = deps;
  const before = (days: number): Date => new Date(clock().getTime() - days * DAY_MS);
  const keep = defineJob('audit-trail-keep-months', z.object({}), async () => {
    const created = await ensureAuditMonths(deps.database.orm, clock());
    if (created > 0) logger.info({ created }, 'audit trail months created');
  });
  const archive = defineJob(
    'audit-trail-archive-months',
    z.object({}),
    async () => {
      const months = await archiveAuditMonths(deps, before(tableDays));
      if (months.length > 0) logger.info({ months }, 'audit trail months archived');
      const files = await deleteEndedMonths(deps, before(keptDays));
      if (files > 0) logger.info({ files }, 'expired audit trail archives deleted');
    },
    { timeoutSeconds: 14_400 },
  );
  jobs.define(keep);
  jobs.define(archive);
  jobs.schedule(keep, '7 * * * *', {});
  jobs.schedule(archive, '29 1 * * *', {});
}
