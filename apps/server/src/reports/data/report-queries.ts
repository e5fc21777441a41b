import { and, asc, desc, eq, gt, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AccessGrantBond } from '@deviceportal/contract/access-grants';
import type { ReportFile, ReportProgress } from '@deviceportal/contract/reports';
import { portalNow } from '../../platform/columns.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoMoments, type IsoMoments } from '../../platform/iso-moments.ts';
import type { MomentCursor } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { reportVisibility } from './report-visibility.ts';
import { report } from './reports-tables.ts';

type ReportColumns = Readonly<typeof report.$inferSelect>;

const columns = {
  id: report.id,
  personId: report.personId,
  caseId: report.caseId,
  from: report.fromAt,
  to: report.toAt,
  parts: report.parts,
  language: report.language,
  voice: report.voice,
  paper: report.paper,
  precise: report.precise,
  state: report.state,
  progress: report.progress,
  deviceIds: report.deviceIds,
  findings: report.findingCount,
  files: report.files,
  failure: report.failure,
  createdById: report.createdById,
  createdBySubject: report.createdBySubject,
  createdBy: report.createdBy,
  address: report.address,
  requestId: report.requestId,
  attempt: report.attempt,
  createdAt: report.createdAt,
  createdAtText: sql<string>`${report.createdAt}::text`,
  endedAt: report.endedAt,
  expiresAt: report.expiresAt,
};

/** With times as ISO 8601. */
export type StoredReport = IsoMoments<Awaited<ReturnType<typeof selectRows>>[number]>;

const selectRows = (
  on: Executor,
  { where, limit }: { readonly where: SQL | undefined; readonly limit: number },
) =>
  on
    .select(columns)
    .from(report)
    .where(where)
    .orderBy(desc(report.createdAt), desc(report.id))
    .limit(limit);

/** Null and false apply no filter. */
export interface ReportFilter {
  readonly personId: string | null;
  readonly mine: boolean;
  readonly after: MomentCursor | null;
}

/** Reports that the viewer may see, newest first. */
export async function listReportPage(
  on: Executor,
  viewer: Viewer,
  { filter, limit }: { readonly filter: ReportFilter; readonly limit: number },
): Promise<StoredReport[]> {
  const { personId, mine, after } = filter;
  const where = and(
    personId === null ? undefined : eq(report.personId, personId),
    mine ? eq(report.createdById, viewer.userId) : undefined,
    reportVisibility(viewer),
    after === null
      ? undefined
      : sql`(${report.createdAt}, ${report.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
  );
  return (await selectRows(on, { where, limit })).map(isoMoments);
}

export async function findVisibleReport(
  on: Executor,
  viewer: Viewer,
  id: string,
): Promise<StoredReport | undefined> {
  const where = and(eq(report.id, id), reportVisibility(viewer));
  const [found] = await selectRows(on, { where, limit: 1 });
  return found && isoMoments(found);
}

export type NewReport = Pick<
  ReportColumns,
  | 'id'
  | 'personId'
  | 'caseId'
  | 'fromAt'
  | 'toAt'
  | 'parts'
  | 'language'
  | 'voice'
  | 'paper'
  | 'precise'
  | 'createdById'
  | 'createdBySubject'
  | 'createdBy'
  | 'address'
  | 'requestId'
  | 'createdAt'
  | 'expiresAt'
>;

export async function insertReport(tx: Transaction, added: NewReport): Promise<void> {
  await tx.insert(report).values({ ...added, kind: 'user-report', state: 'queued' });
}

const isSilentFor = (seconds: number): SQL =>
  lt(report.beatAt, sql`${portalNow} - make_interval(secs => ${seconds})`);

/**
 * Claims a report for a server: a queued one, or one whose server has stopped sending heartbeats. Undefined if
 * another server has claimed it, or it has ended.
 */
export async function claimReport(
  on: Executor,
  id: string,
  silentSeconds: number,
): Promise<StoredReport | undefined> {
  const [claimed] = await on
    .update(report)
    .set({
      state: 'running',
      attempt: sql`${report.attempt} + 1`,
      beatAt: portalNow,
      progress: [],
    })
    .where(
      and(
        eq(report.id, id),
        isNull(report.endedAt),
        or(eq(report.state, 'queued'), isSilentFor(silentSeconds)),
      ),
    )
    .returning(columns);
  return claimed && isoMoments(claimed);
}

type Attempt = Pick<ReportColumns, 'id' | 'attempt'>;

const isRunning = ({ id, attempt }: Attempt): SQL | undefined =>
  and(eq(report.id, id), eq(report.attempt, attempt), eq(report.state, 'running'));

/** False if it was canceled, or claimed by another server. */
export async function saveProgress(
  on: Executor,
  attempt: Attempt,
  progress: readonly ReportProgress[],
): Promise<boolean> {
  const { rowCount } = await on
    .update(report)
    .set({ progress, beatAt: portalNow })
    .where(isRunning(attempt));
  return (rowCount ?? 0) > 0;
}

export interface ReportEnd {
  readonly state: 'ready' | 'failed';
  readonly failure: string | null;
  readonly files: readonly ReportFile[];
  readonly deviceIds: readonly string[];
  readonly findings: number;
  /** The temporary access with which it was created. */
  readonly bond: AccessGrantBond | null;
}

/** Ends the current attempt, once: false if it was canceled or claimed by another server. */
export async function endReport(
  tx: Transaction,
  attempt: Attempt,
  { deviceIds, findings, bond, ...end }: ReportEnd,
): Promise<boolean> {
  const { rowCount } = await tx
    .update(report)
    .set({
      ...end,
      deviceIds: [...deviceIds],
      findingCount: findings,
      accessGrantId: bond?.accessGrantId ?? null,
      endedAt: portalNow,
    })
    .where(isRunning(attempt));
  return (rowCount ?? 0) > 0;
}

export async function cancelOpenReport(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx
    .update(report)
    .set({ state: 'cancelled', endedAt: portalNow })
    .where(and(eq(report.id, id), isNull(report.endedAt)));
  return (rowCount ?? 0) > 0;
}

const MOST_FORSAKEN = 100;

/** Reports whose server has stopped sending heartbeats, to be claimed by another server. */
export async function findStaleReports(on: Executor, silentSeconds: number): Promise<string[]> {
  const rows = await on
    .select({ id: report.id })
    .from(report)
    .where(and(isNull(report.endedAt), eq(report.state, 'running'), isSilentFor(silentSeconds)))
    .orderBy(asc(report.createdAt))
    .limit(MOST_FORSAKEN);
  return rows.map(({ id }) => id);
}

const reportsWhere = (condition: SQL | undefined): SQL =>
  new QueryBuilder().select({ id: report.id }).from(report).where(condition).getSQL();

/** Reports that count against the limits. */
export const countedReports = {
  open: () => reportsWhere(isNull(report.endedAt)),
  openOf: (userId: string) =>
    reportsWhere(and(isNull(report.endedAt), eq(report.createdById, userId))),
  ofLastDay: (userId: string) =>
    reportsWhere(
      and(
        eq(report.createdById, userId),
        gt(report.createdAt, sql`${portalNow} - interval '1 day'`),
      ),
    ),
} as const;
