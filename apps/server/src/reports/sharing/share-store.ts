import { sql, type SQL } from 'drizzle-orm';
import type { ReportShare } from '@deviceportal/contract/reports';
import { bondOf, elevationEnd } from '../../access/data/elevation-bonds.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isoOf, isoOrNull } from '../../platform/moment-cursor.ts';

export async function insertShare(
  tx: Transaction,
  share: Pick<
    ReportShare,
    'id' | 'reportId' | 'redaction' | 'createdBy' | 'createdAt' | 'expiresAt' | 'bond'
  > & { readonly createdById: string; readonly caseId: string | null },
): Promise<void> {
  await tx.execute(sql`
    insert into report_share (id, report_id, redaction, created_by_id, created_by, created_at, expires_at,
      case_id, elevation_id)
    values (${share.id}, ${share.reportId}, ${JSON.stringify(share.redaction)}::jsonb, ${share.createdById},
      ${share.createdBy}, ${share.createdAt}, ${share.expiresAt}, ${share.caseId}, ${share.bond?.elevationId ?? null})`);
}

/** When the temporary access ended with which a share `s` ends; null while it runs. */
const endOfBond = elevationEnd(sql`s.elevation_id`);

/** Shares `s` of reports `r` that a condition picks, newest first. */
export async function selectShares(on: Executor, where: SQL): Promise<ReportShare[]> {
  const { rows } = await on.execute(sql`
    select s.id, s.report_id as "reportId", s.redaction, s.created_by as "createdBy", s.created_at as "createdAt",
      s.expires_at as "expiresAt", coalesce(s.ended_at, ${endOfBond}) as "endedAt", s.openings,
      s.last_opened_at as "lastOpenedAt", ${bondOf(sql`s.elevation_id`)} as bond
    from report_share s join report r on r.id = s.report_id
    where ${where} order by s.created_at desc limit 100`);
  return (rows as unknown as ReportShare[]).map((row) => ({
    ...row,
    createdAt: isoOf(row.createdAt),
    expiresAt: isoOf(row.expiresAt),
    endedAt: isoOrNull(row.endedAt),
    lastOpenedAt: isoOrNull(row.lastOpenedAt),
  }));
}

/** False for a share that has ended, expired or ends with temporary access: what is over is never opened again. */
export async function prolongShare(
  tx: Transaction,
  id: string,
  { now, expiresAt }: { readonly now: string; readonly expiresAt: string },
): Promise<boolean> {
  const { rowCount } = await tx.execute(sql`
    update report_share set expires_at = greatest(expires_at, ${expiresAt}::timestamptz)
    where id = ${id} and ended_at is null and expires_at > ${now}::timestamptz and elevation_id is null`);
  return (rowCount ?? 0) > 0;
}

export async function endShareNow(tx: Transaction, id: string): Promise<boolean> {
  const { rowCount } = await tx.execute(
    sql`update report_share set ended_at = portal_now() where id = ${id} and ended_at is null`,
  );
  return (rowCount ?? 0) > 0;
}

/** Answers the case that the link belongs to; null where it was made in none. */
export async function countOpening(tx: Transaction, id: string): Promise<string | null> {
  const { rows } = await tx.execute<{ caseId: string | null }>(sql`
    update report_share set openings = openings + 1, last_opened_at = portal_now() where id = ${id}
    returning case_id as "caseId"`);
  return rows[0]?.caseId ?? null;
}
