import { PortalError } from '@deviceportal/contract/errors';
import type { ReportRow } from '@deviceportal/contract/reports';
import type { UserReportDocument } from '@deviceportal/contract/user-report-document';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { visiblePersonLabels } from '../people/visible-person-labels.ts';
import { maskUser } from '../people/mask-person.ts';
import { inTransaction } from '../platform/database/database.ts';
import { readWhole } from '../platform/files/read-whole.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import { findVisibleReport, type StoredReport } from './data/report-queries.ts';
import { reportFileKey } from './report-files.ts';
import type { ReportsDeps } from './reports-deps.ts';

/** @throws PortalError notFound (2003), also for a report that the viewer may not see */
export async function findReport(
  { database }: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<StoredReport> {
  const found = await findVisibleReport(database.orm, viewer, id);
  if (found === undefined) throw new PortalError('notFound', { facts: { report: id } });
  return found;
}

export async function getReport(
  deps: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<ReportRow> {
  const [row] = await reportRowsOf(deps, viewer, [await findReport(deps, viewer, id)]);
  if (row === undefined) throw new PortalError('notFound', { facts: { report: id } });
  return row;
}

/** The fields of reports that the list and the page show. */
export async function reportRowsOf(
  deps: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  reports: readonly StoredReport[],
): Promise<ReportRow[]> {
  const people = reports.map(({ personId }) => personId);
  const labels = await visiblePersonLabels(deps, viewer, people);
  return reports.map((stored) => {
    const {
      deviceIds,
      createdById,
      createdBySubject: _subject,
      address: _address,
      requestId: _request,
      attempt: _attempt,
      createdAtText: _text,
      ...row
    } = stored;
    return {
      ...row,
      personLabel: labels.get(row.personId) ?? '-',
      createdBy: maskUser(row.createdBy, viewer),
      devices: deviceIds.length,
      isMine: createdById === viewer.userId,
    };
  });
}

/** A finished report as shown on screen. Opening another user's report is recorded. */
export async function openReport(
  deps: Pick<ReportsDeps, 'database' | 'userReportFiles'>,
  caller: Caller,
  id: string,
): Promise<UserReportDocument> {
  const found = await findReport(deps, caller.viewer, id);
  requireReady(found);
  const page = await readWhole(deps.userReportFiles, reportFileKey(id, 'page'));
  if (page === undefined) throw new PortalError('notFound', { facts: { report: id } });
  if (found.createdById !== caller.viewer.userId) {
    await inTransaction(deps.database, (tx) =>
      recordAudit(tx, [
        {
          type: 'report.opened',
          actor: actorOf(caller.viewer, caller),
          requestId: caller.requestId,
          caseId: found.caseId,
          data: { reportId: id, personId: found.personId, by: found.createdBy },
        },
      ]),
    );
  }
  return JSON.parse(page.toString('utf8')) as UserReportDocument;
}

export function requireReady({ id, state }: Pick<StoredReport, 'id' | 'state'>): void {
  if (state !== 'ready') {
    throw refuse('report-not-ready', { facts: { report: id, state } });
  }
}
