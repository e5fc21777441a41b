import type { z } from 'zod';
import type { Page } from '@deviceportal/contract/pages';
import type { listReportsInput, ReportRow } from '@deviceportal/contract/reports';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { listReportPage } from './data/report-queries.ts';
import { reportRowsOf } from './get-report.ts';
import type { ReportsDeps } from './reports-deps.ts';

/** Reports that the viewer may see, newest first. */
export async function listReports(
  deps: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listReportsInput>,
): Promise<Page<ReportRow>> {
  const { personId, mine } = input;
  const found = await listReportPage(deps.database.orm, viewer, {
    filter: { personId, mine, after: decodeMomentCursor(input.cursor) },
    limit: input.pageSize + 1,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: await reportRowsOf(deps, viewer, page),
    nextCursor:
      last === undefined ? null : encodeMomentCursor({ at: last.createdAtText, id: last.id }),
  };
}
