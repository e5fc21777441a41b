import { inTransaction } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findReport } from './get-report.ts';
import { cancelOpenReport } from './data/report-queries.ts';
import type { ReportsDeps } from './reports-deps.ts';

/** Stops the creation of a report; a report that has ended is unchanged. */
export async function cancelReport(
  deps: Pick<ReportsDeps, 'database'>,
  viewer: Viewer,
  id: string,
): Promise<void> {
  await findReport(deps, viewer, id);
  await inTransaction(deps.database, (tx) => cancelOpenReport(tx, id));
}
