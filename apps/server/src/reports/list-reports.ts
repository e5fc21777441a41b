import { sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { Page } from '@deviceportal/contract/pages';
import type { listReportsInput, ReportRow } from '@deviceportal/contract/reports';
import { decodeMomentCursor, encodeMomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { reportRowsOf } from './get-report.ts';
import { reportSight, selectReports } from './report-store.ts';
import type { ReportsDeps } from './reports-deps.ts';

/** Reports in the viewer's sight, newest first. */
export async function listReports(
  deps: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  input: z.infer<typeof listReportsInput>,
): Promise<Page<ReportRow>> {
  const person = input.personId === null ? sql`true` : sql`r.person_id = ${input.personId}`;
  const mine = input.mine ? sql`r.created_by_id = ${viewer.userId}` : sql`true`;
  const found = await selectReports(deps.database.orm, {
    where: sql`${person} and ${mine} and ${reportSight(viewer)}`,
    after: decodeMomentCursor(input.cursor),
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
