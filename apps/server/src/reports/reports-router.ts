import { userReportInput, type UserReport } from '@deviceportal/contract/reports';
import { permitted, router } from '../platform/api.ts';
import { makeUserReport, type ReportsDependencies } from './make-user-report.ts';

export function createReportsRouter(deps: ReportsDependencies) {
  return router({
    userReport: permitted('reports:create')
      .input(userReportInput)
      .query(({ ctx, input }): Promise<UserReport> => makeUserReport(deps, ctx, input)),
  });
}
