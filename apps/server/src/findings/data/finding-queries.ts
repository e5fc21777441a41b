import { and, asc, desc, eq, ne, sql } from 'drizzle-orm';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { columnNames } from '../../platform/database/column-names.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { excluded } from '../../platform/database/excluded.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { finding, findingCheck, findingHistory } from './findings-tables.ts';
import { seesCommands } from './sees-commands.ts';

type FindingRow = Omit<typeof finding.$inferSelect, 'serialRank' | 'name'>;

export interface OpenFinding extends Omit<FindingRow, 'openedAt'> {
  readonly openedAt: string;
}

export async function loadOpenFindings(
  on: Executor,
  deviceIds: readonly string[],
): Promise<OpenFinding[]> {
  if (deviceIds.length === 0) return [];
  const rows = await on
    .select({
      deviceId: finding.deviceId,
      rule: finding.rule,
      severity: finding.severity,
      facts: finding.facts,
      openedAt: finding.openedAt,
    })
    .from(finding)
    .where(isAnyOf(finding.deviceId, deviceIds));
  return rows.map((row) => ({ ...row, openedAt: row.openedAt.toISOString() }));
}

const findingTypes = {
  device_id: 'uuid',
  rule: 'text',
  severity: 'text',
  facts: 'text',
  opened_at: 'timestamptz',
} as const;

/** Inserts new findings and updates open ones; `openedAt` is kept. */
export async function saveFindings(
  tx: Transaction,
  findings: readonly OpenFinding[],
): Promise<void> {
  if (findings.length === 0) return;
  const rows = findings.map(({ deviceId, rule, severity, facts, openedAt }) => ({
    device_id: deviceId,
    rule,
    severity,
    facts: JSON.stringify(facts),
    opened_at: openedAt,
  }));
  const found = tx
    .select({
      rule: sql`r.rule`.as('rule'),
      deviceId: sql`r.device_id`.as('device_id'),
      severity: sql`r.severity`.as('severity'),
      facts: sql`r.facts::jsonb`.as('facts'),
      openedAt: sql`r.opened_at`.as('opened_at'),
      serialRank: deviceRecords.serialRank,
      name: deviceRecords.name,
    })
    .from(sql`${rowsOf(findingTypes, rows)} r`)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, sql`r.device_id`))
    .orderBy(sql`r.rule`, sql`r.device_id`);
  await tx
    .insert(finding)
    .select(found.getSQL())
    .onConflictDoUpdate({
      target: [finding.rule, finding.deviceId],
      set: { severity: excluded(finding.severity), facts: excluded(finding.facts) },
    });
}

/**
 * Refreshes the copies of sort keys for devices with new events. A device that was renamed while its finding was being
 * written has an event that is processed later.
 */
export async function refreshSortKeys(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  const { serialRank, name } = deviceRecords;
  await tx
    .update(finding)
    .set({ serialRank: sql`${serialRank}`, name: sql`${name}` })
    .from(deviceRecords)
    .where(
      and(
        isAnyOf(finding.deviceId, deviceIds),
        eq(deviceRecords.deviceId, finding.deviceId),
        sql`(${finding.serialRank}, ${finding.name}) is distinct from (${serialRank}, ${name})`,
      ),
    );
}

/** Moves findings that no longer apply to the history. */
export async function closeFindings(
  tx: Transaction,
  findings: readonly Pick<OpenFinding, 'deviceId' | 'rule'>[],
  at: Date,
): Promise<void> {
  if (findings.length === 0) return;
  const rows = findings.map(({ deviceId, rule }) => ({ device_id: deviceId, rule }));
  const { deviceId, rule, severity, facts, openedAt, closedAt } = findingHistory;
  const kept = columnNames(deviceId, rule, severity, facts, openedAt);
  await tx.execute(sql`
    with closed as (
      delete from ${finding} using ${rowsOf({ device_id: 'uuid', rule: 'text' }, rows)} r
      where ${finding.deviceId} = r.device_id and ${finding.rule} = r.rule
      returning ${finding.deviceId}, ${finding.rule}, ${finding.severity}, ${finding.facts}, ${finding.openedAt})
    insert into ${findingHistory} (${kept}, ${columnNames(closedAt)})
    select ${kept}, greatest(${at.toISOString()}::timestamptz, ${columnNames(openedAt)})
    from closed`);
}

/** Sets when each device is evaluated again; null: only after an event. */
export async function saveChecks(
  tx: Transaction,
  checks: readonly { readonly deviceId: string; readonly dueAt: Date | null }[],
): Promise<void> {
  const never = checks.filter(({ dueAt }) => dueAt === null).map(({ deviceId }) => deviceId);
  if (never.length > 0) {
    await tx.delete(findingCheck).where(isAnyOf(findingCheck.deviceId, never));
  }
  const rows = checks.flatMap(({ deviceId, dueAt }) =>
    dueAt === null ? [] : [{ device_id: deviceId, due_at: dueAt.toISOString() }],
  );
  if (rows.length === 0) return;
  await tx
    .insert(findingCheck)
    .select(
      sql`select device_id, due_at from ${rowsOf({ device_id: 'uuid', due_at: 'timestamptz' }, rows)} r order by device_id`,
    )
    .onConflictDoUpdate({
      target: findingCheck.deviceId,
      set: { dueAt: excluded(findingCheck.dueAt) },
      setWhere: ne(findingCheck.dueAt, excluded(findingCheck.dueAt)),
    });
}

/** Devices that are due for evaluation. */
export async function dueDevices(on: Executor, now: Date, limit: number): Promise<string[]> {
  const rows = await on
    .select({ deviceId: findingCheck.deviceId })
    .from(findingCheck)
    .where(sql`${findingCheck.dueAt} <= ${now.toISOString()}::timestamptz`)
    .orderBy(asc(findingCheck.dueAt))
    .limit(limit);
  return rows.map((row) => row.deviceId);
}

/** Latest first. */
export async function readPastFindings(
  on: Executor,
  viewer: Viewer,
  { deviceId, limit }: { readonly deviceId: string; readonly limit: number },
) {
  return on
    .select({
      rule: findingHistory.rule,
      severity: findingHistory.severity,
      facts: findingHistory.facts,
      openedAt: findingHistory.openedAt,
      closedAt: findingHistory.closedAt,
      seesCommands: seesCommands(viewer, deviceRecords),
    })
    .from(findingHistory)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, findingHistory.deviceId))
    .where(eq(findingHistory.deviceId, deviceId))
    .orderBy(desc(findingHistory.closedAt), desc(findingHistory.id))
    .limit(limit);
}
