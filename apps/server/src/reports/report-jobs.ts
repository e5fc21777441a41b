import { z } from 'zod';
import { idSchema } from '@deviceportal/contract/ids';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { createReport, SILENT_SECONDS } from './creation/create-report.ts';
import { findStaleReports } from './data/report-queries.ts';
import type { CreateReportDeps, ReportsDeps } from './reports-deps.ts';

const dataSchema = z.object({ reportId: idSchema });

/** The background job that creates reports, each once: requested on any server, created on a server with workers. */
export function defineReportJob(
  jobs: Pick<Jobs, 'define' | 'send'>,
  deps: CreateReportDeps,
): {
  readonly startReport: ReportsDeps['startReport'];
  /** Assigns reports of dead servers to a running one. */
  readonly resumeReports: () => Promise<void>;
} {
  const job = defineJob('report-make', dataSchema, ({ reportId }) => createReport(deps, reportId), {
    concurrency: 2,
    pollingSeconds: 1,
  });
  jobs.define(job);
  return {
    startReport: (tx, reportId) => jobs.send(job, { reportId }, { tx, key: reportId }),
    async resumeReports() {
      const forsaken = await findStaleReports(deps.database.orm, SILENT_SECONDS);
      for (const reportId of forsaken) await jobs.send(job, { reportId }, { key: reportId });
    },
  };
}
