import { and, desc, eq, notInArray } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { report } from './reports-tables.ts';

/** The newest report of a case that was not canceled; the viewer's permission is checked when it is opened. */
export async function findReportOfCase(on: Executor, caseId: string): Promise<string | null> {
  const [found] = await on
    .select({ id: report.id })
    .from(report)
    .where(and(eq(report.caseId, caseId), notInArray(report.state, ['cancelled', 'failed'])))
    .orderBy(desc(report.createdAt), desc(report.id))
    .limit(1);
  return found?.id ?? null;
}
