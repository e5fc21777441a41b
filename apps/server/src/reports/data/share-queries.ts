import { and, desc, eq, gt, isNull, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { ReportShare } from '@deviceportal/contract/reports';
import { bondOf, accessGrantEnd, accessGrantRuns } from '../../access/data/access-grant-bonds.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoMoments } from '../../platform/iso-moments.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { reportVisibility } from './report-visibility.ts';
import { report, reportShare } from './reports-tables.ts';

const MOST_SHARES = 100;

type ShareColumns = Readonly<typeof reportShare.$inferSelect>;
type NewShare = Omit<ShareColumns, 'endedAt' | 'openings' | 'lastOpenedAt' | 'accessGrantId'> &
  Pick<ReportShare, 'bond'>;

export async function insertShare(tx: Transaction, { bond, ...share }: NewShare): Promise<void> {
  await tx.insert(reportShare).values({ ...share, accessGrantId: bond?.accessGrantId ?? null });
}

const build = new QueryBuilder();
const isOpen = and(isNull(reportShare.endedAt), gt(reportShare.expiresAt, portalNow));

/** Links that count against the limit of open links of a report. */
export const openSharesOf = (reportId: string): SQL =>
  build
    .select({ id: reportShare.id })
    .from(reportShare)
    .where(and(eq(reportShare.reportId, reportId), isOpen))
    .getSQL();

async function selectShares(on: Executor, where: SQL | undefined): Promise<ReportShare[]> {
  const rows = await on
    .select({
      id: reportShare.id,
      reportId: reportShare.reportId,
      redaction: reportShare.redaction,
      createdBy: reportShare.createdBy,
      createdAt: reportShare.createdAt,
      expiresAt: reportShare.expiresAt,
      /** A link also ends with its temporary access. */
      endedAt:
        sql<Date | null>`coalesce(${reportShare.endedAt}, ${accessGrantEnd(reportShare.accessGrantId)})`.mapWith(
          reportShare.endedAt,
        ),
      openings: reportShare.openings,
      lastOpenedAt: reportShare.lastOpenedAt,
      bond: bondOf(reportShare.accessGrantId),
    })
    .from(reportShare)
    .innerJoin(report, eq(report.id, reportShare.reportId))
    .where(where)
    .orderBy(desc(reportShare.createdAt))
    .limit(MOST_SHARES);
  return rows.map(isoMoments);
}

/** The links to a report that the viewer may see, newest first. */
export const listVisibleShares = (
  on: Executor,
  viewer: Viewer,
  reportId: string,
): Promise<ReportShare[]> =>
  selectShares(on, and(eq(reportShare.reportId, reportId), reportVisibility(viewer)));

export async function findVisibleShare(
  on: Executor,
  viewer: Viewer,
  id: string,
): Promise<ReportShare | undefined> {
  const [found] = await selectShares(on, and(eq(reportShare.id, id), reportVisibility(viewer)));
  return found;
}

export async function findShareById(on: Executor, id: string): Promise<ReportShare | undefined> {
  const [found] = await selectShares(on, eq(reportShare.id, id));
  return found;
}

/** Links created with temporary access, newest first. */
export async function listSharesOfAccessGrant(on: Executor, accessGrantId: string, limit: number) {
  return on
    .select({
      id: reportShare.id,
      name: sql<string>`${reportShare.reportId}::text`,
      at: reportShare.createdAt,
      inForce: sql<boolean>`${isOpen} and ${accessGrantRuns(reportShare.accessGrantId)}`,
    })
    .from(reportShare)
    .where(eq(reportShare.accessGrantId, accessGrantId))
    .orderBy(desc(reportShare.createdAt), desc(reportShare.id))
    .limit(limit);
}

/** False for a share that has ended, has expired, or ends with temporary access: it is never opened again. */
export async function extendShare(
  tx: Transaction,
  id: string,
  { now, expiresAt }: { readonly now: string; readonly expiresAt: string },
): Promise<boolean> {
  const { rowCount } = await tx
    .update(reportShare)
    .set({ expiresAt: sql`greatest(${reportShare.expiresAt}, ${expiresAt}::timestamptz)` })
    .where(
      and(
        eq(reportShare.id, id),
        isNull(reportShare.endedAt),
        sql`${reportShare.expiresAt} > ${now}::timestamptz`,
        isNull(reportShare.accessGrantId),
      ),
    );
  return (rowCount ?? 0) > 0;
}

export async function endShareNow(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(reportShare)
    .set({ endedAt: portalNow })
    .where(and(eq(reportShare.id, id), isNull(reportShare.endedAt)));
  return (rowCount ?? 0) > 0;
}

/** The person in the report, and the case in which the link was created; undefined if the report is deleted. */
export async function countOpening(
  tx: Transaction,
  id: string,
): Promise<{ readonly caseId: string | null; readonly personId: string } | undefined> {
  const [opened] = await tx
    .update(reportShare)
    .set({ openings: sql`${reportShare.openings} + 1`, lastOpenedAt: portalNow })
    .from(report)
    .where(and(eq(reportShare.id, id), eq(report.id, reportShare.reportId)))
    .returning({ caseId: reportShare.caseId, personId: report.personId });
  return opened;
}
