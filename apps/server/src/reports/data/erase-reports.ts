import { eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../../platform/database/database.ts';
import { report, reportShare } from './reports-tables.ts';

/**
 * Deletes the reports on a person and their links. Returns the ids of the reports and copies, which name their files.
 */
export async function eraseReports(tx: Transaction, personId: string): Promise<string[]> {
  const reports = await tx
    .delete(report)
    .where(eq(report.personId, personId))
    .returning({ id: report.id });
  const ids = reports.map(({ id }) => id);
  if (ids.length === 0) return [];
  const shares = await tx
    .delete(reportShare)
    .where(inArray(reportShare.reportId, ids))
    .returning({ id: reportShare.id });
  return [...ids, ...shares.map(({ id }) => id)];
}

/** The reports on a person, for their record. */
export const reportRowsOf = (personId: string) => [
  { table: report, where: eq(report.personId, personId) },
];
