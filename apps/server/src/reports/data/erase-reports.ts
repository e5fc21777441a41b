import { eq, inArray } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { report, reportShare } from './reports-tables.ts';

/**
 * Deletes some of the reports on people, and their links. Returns the ids of the reports and copies, which name their
 * files; none if no reports remain.
 */
export async function eraseSomeReports(
  tx: Transaction,
  personIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const some = new QueryBuilder()
    .select({ id: report.id })
    .from(report)
    .where(isAnyOf(report.personId, personIds))
    .limit(limit);
  const reports = await tx
    .delete(report)
    .where(inArray(report.id, some))
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
