import type { ReportProgress, ReportStep } from '@deviceportal/contract/reports';
import type { Database } from '../../platform/database/database.ts';
import { saveProgress, type StoredReport } from '../data/report-queries.ts';

/** The report was canceled, or claimed by another server: nothing of it may be written. */
export class ReportStopped extends Error {}

/** Progress of the creation, stored where every screen can read it. */
export interface ReportProgressLog {
  /** @throws ReportStopped if it must not continue */
  step<Result>(
    step: ReportStep,
    work: () => Promise<Result>,
    countOf?: (result: Result) => number,
  ): Promise<Result>;
  /** Sends a heartbeat. @throws ReportStopped */
  beat(): Promise<void>;
}

export function createReportProgress(
  { database, clock }: { readonly database: Database; readonly clock: () => Date },
  report: Pick<StoredReport, 'id' | 'attempt'>,
): ReportProgressLog {
  const done: ReportProgress[] = [];
  const save = async (progress: readonly ReportProgress[]): Promise<void> => {
    if (!(await saveProgress(database.orm, report, progress))) throw new ReportStopped();
  };
  return {
    async step(step, work, countOf) {
      const startedAt = clock().toISOString();
      await save([...done, { step, startedAt, endedAt: null, count: null }]);
      const result = await work();
      const count = countOf === undefined ? null : countOf(result);
      done.push({ step, startedAt, endedAt: clock().toISOString(), count });
      await save(done);
      return result;
    },
    beat: () => save(done),
  };
}
