import { and, desc, eq, gt, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import type { AlertEndReason, AlertRow } from '@deviceportal/contract/alerts';
import type { Page } from '@deviceportal/contract/pages';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { decodeMomentCursor, encodeMomentCursor, isoOrNull } from '../../platform/moment-cursor.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { alert, alertDelivery } from './alerts-tables.ts';
import { seesAllAlerts } from './rule-queries.ts';

export type StoredAlert = typeof alert.$inferSelect;

interface Counts {
  readonly matching: number;
  readonly total: number;
}

export async function insertAlert(tx: Transaction, fired: StoredAlert): Promise<void> {
  await tx.insert(alert).values(fired);
}

export async function findFiringAlert(
  tx: Transaction,
  ruleId: string,
): Promise<StoredAlert | undefined> {
  const [found] = await tx.select().from(alert).where(isFiringOf(ruleId));
  return found;
}

export async function saveAlertCases(
  tx: Transaction,
  id: string,
  caseIds: string[],
): Promise<void> {
  await tx.update(alert).set({ caseIds }).where(eq(alert.id, id));
}

export async function markAnnounced(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx.update(alert).set({ announcedAt: at }).where(eq(alert.id, id));
}

/** Serializes announcements of a user's alerts, so that they cannot exceed a limit together. */
export async function lockAnnouncements(tx: Transaction, ownerId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`alert announcements ${ownerId}`}, 0))`,
  );
}

/**
 * The announcement after which `most` alerts of a rule or a user have been announced since a time; undefined if there
 * are fewer.
 */
export async function findLimitingAnnouncement(
  tx: Transaction,
  of: { readonly ruleId: string } | { readonly ownerId: string },
  { since, most }: { readonly since: Date; readonly most: number },
): Promise<Date | undefined> {
  const [found] = await tx
    .select({ announcedAt: alert.announcedAt })
    .from(alert)
    .where(
      and(
        'ruleId' in of ? eq(alert.ruleId, of.ruleId) : eq(alert.ownerId, of.ownerId),
        gt(alert.announcedAt, since),
      ),
    )
    .orderBy(desc(alert.announcedAt))
    .offset(most - 1)
    .limit(1);
  return found?.announcedAt ?? undefined;
}

/** Updates the counts of the firing alert of a rule, if they changed. */
export async function updateFiringAlert(
  tx: Transaction,
  ruleId: string,
  { matching, total }: Counts,
): Promise<void> {
  await tx
    .update(alert)
    .set({ matching, total, peak: sql`greatest(${alert.peak}, ${matching})` })
    .where(
      and(
        isFiringOf(ruleId),
        sql`(${alert.matching}, ${alert.total}) is distinct from (${matching}::int, ${total}::int)`,
      ),
    );
}

/** Ends the firing alert of a rule. @returns undefined if none is firing */
export async function resolveAlert(
  tx: Transaction,
  ruleId: string,
  end: { readonly at: Date; readonly reason: AlertEndReason; readonly counts: Counts | null },
): Promise<StoredAlert | undefined> {
  const [ended] = await tx
    .update(alert)
    .set({ resolvedAt: end.at, reason: end.reason, ...end.counts })
    .where(isFiringOf(ruleId))
    .returning();
  return ended;
}

const isFiringOf = (ruleId: string): SQL | undefined =>
  and(eq(alert.ruleId, ruleId), isNull(alert.resolvedAt));

const visibleTo = (viewer: Viewer): SQL | undefined =>
  seesAllAlerts(viewer) ? undefined : eq(alert.ownerId, viewer.userId);

// Nested, because the query builder would leave out the tables of its columns.
const failedDeliveries = sql<number>`(${sql`select count(*)::int from ${alertDelivery}
  where ${alertDelivery.alertId} = ${alert.id} and ${alertDelivery.state} = 'failed'`})`;

/** Visible alerts, latest first. */
export async function listAlerts(
  on: Executor,
  viewer: Viewer,
  page: {
    readonly state: 'firing' | 'resolved';
    readonly cursor: string | null;
    readonly pageSize: number;
  },
): Promise<Page<AlertRow>> {
  const after = decodeMomentCursor(page.cursor);
  const found = await on
    .select({ alert, failedDeliveries, position: sql<string>`${alert.startedAt}::text` })
    .from(alert)
    .where(
      and(
        page.state === 'firing' ? isNull(alert.resolvedAt) : isNotNull(alert.resolvedAt),
        visibleTo(viewer),
        after === null
          ? undefined
          : sql`(${alert.startedAt}, ${alert.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`,
      ),
    )
    .orderBy(desc(alert.startedAt), desc(alert.id))
    .limit(page.pageSize + 1);
  const rows = found.slice(0, page.pageSize);
  const last = found.length > page.pageSize ? rows.at(-1) : undefined;
  return {
    rows: rows.map((row) => toAlertRow(row.alert, row.failedDeliveries)),
    nextCursor: last ? encodeMomentCursor({ at: last.position, id: last.alert.id }) : null,
  };
}

/** Those of the alerts that are visible. */
export async function listAlertsById(
  on: Executor,
  viewer: Viewer,
  ids: readonly string[],
): Promise<AlertRow[]> {
  const found = await on
    .select({ alert, failedDeliveries })
    .from(alert)
    .where(and(isAnyOf(alert.id, ids), visibleTo(viewer)));
  return found.map((row) => toAlertRow(row.alert, row.failedDeliveries));
}

function toAlertRow(stored: StoredAlert, failed: number): AlertRow {
  const { ownerId: _, announcedAt: _announced, ...row } = stored;
  return {
    ...row,
    startedAt: row.startedAt.toISOString(),
    resolvedAt: isoOrNull(row.resolvedAt),
    failedDeliveries: failed,
  };
}

export async function isAlertVisible(on: Executor, viewer: Viewer, id: string): Promise<boolean> {
  return (await on.$count(alert, and(eq(alert.id, id), visibleTo(viewer)))) > 0;
}
