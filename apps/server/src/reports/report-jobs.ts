import { z } from 'zod';
import { idSchema } from '@deviceportal/contract/ids';
import { defineJob } from '../platform/jobs/job.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { makeReport, SILENT_SECONDS } from './making/make-report.ts';
import { findForsakenReports } from './data/report-queries.ts';
import type { MakeReportDeps, ReportsDeps } from './reports-deps.ts';

const dataSchema = z.object({ reportId: idSchema });

/** Reports are made in the background, each once: asked for by any server, made by one that works. */
export function defineReportJob(
  jobs: Pick<Jobs, 'define' | 'send'>,
  deps: MakeReportDeps,
): {
  readonly startReport: ReportsDeps['startReport'];
  /** Hands what a dead server had begun to a living one. */
  readonly resumeReports: () => Promise<void>;
} {
  const job = defineJob('report-make', dataSchema, ({ reportId }) => makeReport(deps, reportId), {
    concurrency: 2,
    pollingSeconds: 1,
  });
  jobs.define(job);
  return {
    startReport: (tx, reportId) => jobs.send(job, { reportId }, { tx, key: reportId }),
    async resumeReports() {
      const forsaken = await findForsakenReports(deps.database.orm, SILENT_SECONDS);
      for (const reportId of forsaken) await jobs.send(job, { reportId }, { key: reportId });
    },
  };
}
