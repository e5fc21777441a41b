import { eq } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { report, reportShare } from './reports-tables.ts';

/** Those of these ids that a report or a redacted copy has. */
export async function findKnownReports(
  on: Executor,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const reports = await on.select({ id: report.id }).from(report).where(isAnyOf(report.id, ids));
  const shares = await on
    .select({ id: reportShare.id })
    .from(reportShare)
    .where(isAnyOf(reportShare.id, ids));
  return new Set([...reports, ...shares].map(({ id }) => id));
}

/** Whether a report exists; an erasure of its person waits until the transaction ends. */
export async function holdReport(tx: Transaction, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: report.id })
    .from(report)
    .where(eq(report.id, id))
    .for('key share');
  return found.length > 0;
}
