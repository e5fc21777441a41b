import type { z } from 'zod';
import type { reportFileInput } from '@deviceportal/contract/reports';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { holderOf } from '../platform/person-links.ts';
import type { Caller } from '../platform/viewer.ts';
import { caseOfReport } from './case-of-report.ts';
import { findReport, requireReady } from './get-report.ts';
import type { ReportsDeps } from './reports-deps.ts';

/** A link to one file of a report for the caller, valid for an hour; each request is recorded. */
export async function linkReportFile(
  deps: Pick<ReportsDeps, 'database' | 'signUserReportUrl'>,
  caller: Caller,
  { id, format }: z.infer<typeof reportFileInput>,
): Promise<{ readonly downloadUrl: string }> {
  const found = await findReport(deps, caller.viewer, id);
  requireReady(found);
  const sha256 = found.files.find((file) => file.format === format)?.sha256 ?? null;
  const caseId = caseOfReport(found, caller);
  await inTransaction(deps.database, (tx) =>
    recordAudit(tx, [
      {
        type: 'report.downloaded',
        actor: actorOf(caller.viewer, { ...caller, caseId }),
        requestId: caller.requestId,
        caseId,
        data: { reportId: id, personId: found.personId, format, sha256 },
      },
    ]),
  );
  return { downloadUrl: deps.signUserReportUrl({ id, format }, holderOf(caller.viewer)) };
}
