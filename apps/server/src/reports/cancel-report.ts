import { inTransaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findReport } from './get-report.ts';
import { cancelOpenReport } from './data/report-queries.ts';
import type { ReportsDeps } from './reports-deps.ts';

/** A report that is being made is made no further; one that has ended stays as it is. */
export async function cancelReport(
  deps: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await findReport(deps, viewer, id);
  await inTransaction(deps.database, (tx) => cancelOpenReport(tx, id));
}
