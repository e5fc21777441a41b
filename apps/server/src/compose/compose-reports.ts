import type { IdentityParts } from './compose-identity.ts';
import type { SharedSecrets } from './compose-gateway.ts';
import type { Composition } from './composition.ts';
import { findScheduleCreator } from './find-schedule-creator.ts';
import { repeat } from '../platform/process/repeat.ts';
import { defineReportJob } from '../reports/report-jobs.ts';
import type { ReportsDeps } from '../reports/reports-deps.ts';

const RESUME_EVERY_MS = 10_000;

export type ReportParts = Pick<ReportsDeps, 'startReport' | 'userReportFiles' | 'reportDays'>;

/** Report creation. A server without background work only queues reports. */
export function composeReports(
  { platform, resources, clock }: Composition,
  { directory, vault }: Pick<IdentityParts, 'directory'> & Pick<SharedSecrets, 'vault'>,
): ReportParts {
  const { config, database, files, changes, jobs, logger } = platform;
  const userReportFiles = files.userReports;
  const { startReport, resumeReports } = defineReportJob(jobs, {
    ...{ database, clock, changes, vault, userReportFiles },
    findCreator: (creator) => findScheduleCreator({ database, directory, clock }, creator),
  });
  if (config.roles.has('worker')) {
    resources.use(
      repeat(resumeReports, {
        everyMs: RESUME_EVERY_MS,
        onError: (error) => logger.warn({ err: error }, 'report poll failed'),
      }),
    );
  }
  return { startReport, userReportFiles, reportDays: config.retention.exportDays };
}
