import type { ReportProgress, ReportStep } from '@deviceportal/contract/reports';
import type { Database } from '../../platform/database/database.ts';
import { saveProgress, type StoredReport } from '../data/report-queries.ts';

/** It was cancelled, or another server took it over: nothing of it may be written any more. */
export class ReportStopped extends Error {}

/** How far the making is, kept where every screen can read it. */
export interface ReportProgressLog {
  /** @throws ReportStopped where it must not go on */
  step<Result>(
    step: ReportStep,
    work: () => Promise<Result>,
    countOf?: (result: Result) => number,
  ): Promise<Result>;
  /** Says that somebody still works on it. @throws ReportStopped */
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
