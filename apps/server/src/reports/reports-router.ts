import type { Page } from '@deviceportal/contract/pages';
import {
  listReportsInput,
  previewShareInput,
  renewShareInput,
  reportFileInput,
  reportReferenceInput,
  requestReportInput,
  shareReferenceInput,
  shareReportInput,
  type ReportRow,
  type ReportShare,
  type ReportShareLink,
  type SharePreview,
} from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { permitted, router } from '../platform/api.ts';
import { cancelReport } from './cancel-report.ts';
import { getReport, openReport } from './get-report.ts';
import { linkReportFile } from './link-report-file.ts';
import { listReports } from './list-reports.ts';
import type { ReportsDeps } from './reports-deps.ts';
import { requestUserReport } from './request-user-report.ts';
import { endShare, renewShare } from './sharing/renew-share.ts';
import { listShares } from './sharing/read-shares.ts';
import { previewShare, shareReport } from './sharing/share-report.ts';

export function createReportsRouter(deps: ReportsDeps) {
  return router({
    list: permitted('reports:create')
      .input(listReportsInput)
      .query(({ ctx, input }): Promise<Page<ReportRow>> => listReports(deps, ctx.viewer, input)),
    get: permitted('reports:create')
      .input(reportReferenceInput)
      .query(({ ctx, input }): Promise<ReportRow> => getReport(deps, ctx.viewer, input.id)),
    request: permitted('reports:create')
      .input(requestReportInput)
      .mutation(({ ctx, input: { range, ...input } }): Promise<{ readonly reportId: string }> =>
        requestUserReport(deps, ctx.viewer, { ...input, ...range, origin: ctx }),
      ),
    cancel: permitted('reports:create')
      .input(reportReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => cancelReport(deps, ctx.viewer, input.id)),
    /** A finished report as shown on screen; opening another user's report is recorded. */
    open: permitted('reports:create')
      .input(reportReferenceInput)
      .query(({ ctx, input }): Promise<UserReportDocument> => openReport(deps, ctx, input.id)),
    /** Exactly what a recipient would see, and the free texts to decide on. */
    previewShare: permitted('reports:create')
      .input(previewShareInput)
      .query(({ ctx, input }): Promise<SharePreview> => previewShare(deps, ctx.viewer, input)),
    share: permitted('reports:create')
      .input(shareReportInput)
      .mutation(({ ctx, input }): Promise<ReportShareLink> => shareReport(deps, ctx, input)),
    listShares: permitted('reports:create')
      .input(reportReferenceInput)
      .query(({ ctx, input }): Promise<ReportShare[]> => listShares(deps, ctx.viewer, input.id)),
    renewShare: permitted('reports:create')
      .input(renewShareInput)
      .mutation(({ ctx, input }): Promise<ReportShareLink> => renewShare(deps, ctx, input)),
    endShare: permitted('reports:create')
      .input(shareReferenceInput)
      .mutation(({ ctx, input }): Promise<void> => endShare(deps, ctx, input.shareId)),
    linkFile: permitted('reports:create')
      .input(reportFileInput)
      .mutation(({ ctx, input }): Promise<{ readonly downloadUrl: string }> =>
        linkReportFile(deps, ctx, input),
      ),
  });
}
