import { sql, type SQL } from 'drizzle-orm';
import type { ElevationBond } from '@deviceportal/contract/elevations';
import type { ReportFile, ReportProgress, ReportRow } from '@deviceportal/contract/reports';
import { scopesOf, type Permission } from '@deviceportal/contract/permissions';
import { elevationRuns } from '../access/data/elevation-bonds.ts';
import { deviceRecords as device } from '../devices/data/device-records.ts';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Executor, Transaction } from '../platform/database/database.ts';
import { isoOf, isoOrNull, type MomentCursor } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';

export interface StoredReport extends Omit<ReportRow, 'personName' | 'isMine' | 'devices'> {
  readonly deviceIds: readonly string[];
  readonly createdById: string;
  readonly createdBySubject: string;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly attempt: number;
  readonly createdAtText: string;
}

const columns = sql`r.id, r.person_id as "personId", r.case_id as "caseId", r.from_at as "from", r.to_at as "to", r.parts,
  r.language, r.voice, r.paper, r.precise, r.state, r.progress, r.device_ids as "deviceIds",
  r.finding_count as findings, r.files, r.failure, r.created_by_id as "createdById",
  r.created_by_subject as "createdBySubject", r.created_by as "createdBy", r.address, r.request_id as "requestId",
  r.attempt, r.created_at as "createdAt", r.created_at::text as "createdAtText", r.ended_at as "endedAt",
  r.expires_at as "expiresAt"`;

function reportOf(raw: unknown): StoredReport {
  const row = raw as StoredReport;
  return {
    ...row,
    from: isoOf(row.from),
    to: isoOf(row.to),
    createdAt: isoOf(row.createdAt),
    endedAt: isoOrNull(row.endedAt),
    expiresAt: isoOf(row.expiresAt),
  };
}

export type NewReport = Pick<
  StoredReport,
  | 'id'
  | 'personId'
  | 'caseId'
  | 'from'
  | 'to'
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

export async function insertReport(tx: Transaction, report: NewReport): Promise<void> {
  await tx.execute(sql`
    insert into report (id, kind, person_id, case_id, from_at, to_at, parts, language, voice, paper, precise, state,
      created_by_id, created_by_subject, created_by, address, request_id, created_at, expires_at)
    values (${report.id}, 'user-report', ${report.personId}, ${report.caseId}, ${report.from}, ${report.to},
      ${JSON.stringify(report.parts)}::jsonb, ${report.language}, ${report.voice}, ${report.paper}, ${report.precise},
      'queued', ${report.createdById}, ${report.createdBySubject}, ${report.createdBy}, ${report.address},
      ${report.requestId}, ${report.createdAt}, ${report.expiresAt})`);
}

/**
 * A server takes the report on: one that waits, or one whose server has given no sign of life. Undefined where another
 * makes it, or it has ended.
 */
export async function claimReport(
  on: Executor,
  id: string,
  silentSeconds: number,
): Promise<StoredReport | undefined> {
  const { rows } = await on.execute(sql`
    update report r set state = 'running', attempt = r.attempt + 1, beat_at = portal_now(), progress = '[]'
    where r.id = ${id} and r.ended_at is null
      and (r.state = 'queued' or r.beat_at < portal_now() - make_interval(secs => ${silentSeconds}))
    returning ${columns}`);
  return rows[0] === undefined ? undefined : reportOf(rows[0]);
}

/** Says how far it is. False when it was cancelled, or another server took it over. */
export async function saveProgress(
  on: Executor,
  { id, attempt }: Pick<StoredReport, 'id' | 'attempt'>,
  progress: readonly ReportProgress[],
): Promise<boolean> {
  const { rowCount } = await on.execute(sql`
    update report set progress = ${JSON.stringify(progress)}::jsonb, beat_at = portal_now()
    where id = ${id} and attempt = ${attempt} and state = 'running'`);
  return (rowCount ?? 0) > 0;
}

export interface ReportEnd {
  readonly state: 'ready' | 'failed';
  readonly failure: string | null;
  readonly files: readonly ReportFile[];
  readonly deviceIds: readonly string[];
  readonly findings: number;
  /** The temporary access by which it was made. */
  readonly bond: ElevationBond | null;
}

/** The end of the making that is under way, once: false for one that was cancelled or overtaken. */
export async function endReport(
  tx: Transaction,
  { id, attempt }: Pick<StoredReport, 'id' | 'attempt'>,
  end: ReportEnd,
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update report set state = ${end.state}, failure = ${end.failure}, files = ${JSON.stringify(end.files)}::jsonb,
      device_ids = ${sql.param([...end.deviceIds])}::uuid[], finding_count = ${end.findings},
      elevation_id = ${end.bond?.elevationId ?? null}, ended_at = portal_now()
    where id = ${id} and attempt = ${attempt} and state = 'running'`);
  return (rowCount ?? 0) > 0;
}

export async function cancelOpenReport(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`update report set state = 'cancelled', ended_at = portal_now() where id = ${id} and ended_at is null`,
  );
  return (rowCount ?? 0) > 0;
}

/** Reports whose server has given no sign of life: they are to be taken on by another. */
export async function findForsakenReports(on: Executor, silentSeconds: number): Promise<string[]> {
  const { rows } = await on.execute<{ id: string }>(sql`
    select id from report where ended_at is null and state = 'running'
      and beat_at < portal_now() - make_interval(secs => ${silentSeconds}) order by created_at limit 100`);
  return rows.map(({ id }) => id);
}

export const reportReads: readonly Permission[] = [
  'devices:read',
  'people:read',
  'commands:read',
  'audit-trail:read',
  'versions:read',
  'locations:read',
];

/**
 * Which reports, as rows `r`, exist for a viewer: those all of whose devices are within the scope of their right to make
 * reports. Of others' only who could have made the same; one's own as long as the temporary access by which it was made
 * runs, and with precise places only while one may see any.
 */
export function reportSight(viewer: Viewer): SQL {
  const within = (permission: Permission): SQL => {
    const reached = deviceScopeCondition(scopesOf(viewer.grants, [permission]), device);
    return sql`(not exists (select from unnest(r.device_ids) one(id)
      left join ${device} on ${device.deviceId} = one.id where not coalesce(${reached}, false)))`;
  };
  const others = sql.join(reportReads.map(within), sql` and `);
  const seesPrecise = scopesOf(viewer.grants, ['locations:read-precise']).length > 0;
  const own = sql`(r.created_by_id = ${viewer.userId} and ${elevationRuns(sql`r.elevation_id`)}
    and (not r.precise or ${seesPrecise}))`;
  return sql`(${within('reports:create')} and (${own} or (${others}
    and r.device_ids <> '{}'
    and (r.case_id is null or ${within('cases:read')})
    and (not r.precise or ${within('locations:read-precise')}))))`;
}

export async function selectReports(
  on: Executor,
  page: { readonly where: SQL; readonly after: MomentCursor | null; readonly limit: number },
): Promise<StoredReport[]> {
  const { where, after, limit } = page;
  const further =
    after === null
      ? sql`true`
      : sql`(r.created_at, r.id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await on.execute(sql`
    select ${columns} from report r where ${where} and ${further} order by r.created_at desc, r.id desc limit ${limit}`);
  return rows.map(reportOf);
}
