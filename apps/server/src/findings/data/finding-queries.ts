import { sql } from 'drizzle-orm';
import type { FindingRule } from '@deviceportal/contract/finding-rules';
import type { FindingFacts, FindingSeverity, PastFinding } from '@deviceportal/contract/findings';
import type { Executor, Transaction } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { seesCommands, withoutCommands } from './facts-in-sight.ts';

export interface OpenFinding {
  readonly deviceId: string;
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  readonly openedAt: string;
}

interface OpenRow extends Record<string, unknown> {
  readonly device_id: string;
  readonly rule: FindingRule;
  readonly severity: FindingSeverity;
  readonly facts: FindingFacts;
  readonly opened_at: string;
}

export async function loadOpenFindings(
  on: Executor,
  deviceIds: readonly string[],
): Promise<OpenFinding[]> {
  if (deviceIds.length === 0) return [];
  const { rows } = await on.execute<OpenRow>(sql`
    select device_id, rule, severity, facts, opened_at from finding
    where device_id = any(${sql.param([...deviceIds])}::uuid[])`);
  return rows.map((row) => ({
    deviceId: row.device_id,
    rule: row.rule,
    severity: row.severity,
    facts: row.facts,
    openedAt: isoOf(row.opened_at),
  }));
}

const findingTypes = {
  device_id: 'uuid',
  rule: 'text',
  severity: 'text',
  facts: 'text',
  opened_at: 'timestamptz',
} as const;

/** Opens what is new and corrects what is open already; when it was opened stays. */
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
  await tx.execute(sql`
    insert into finding (device_id, rule, severity, facts, opened_at, serial_rank, name)
    select r.device_id, r.rule, r.severity, r.facts::jsonb, r.opened_at, d.serial_rank, d.name
    from ${rowsOf(findingTypes, rows)} r join device d on d.id = r.device_id
    order by r.rule, r.device_id
    on conflict (rule, device_id) do update set severity = excluded.severity, facts = excluded.facts`);
}

/**
 * The copies of the sort keys, of devices whose events are being followed: one that was renamed while a finding was
 * being written has its own event, and that comes after both.
 */
export async function refreshSortKeys(
  tx: Transaction,
  deviceIds: readonly string[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  await tx.execute(sql`
    update finding f set serial_rank = d.serial_rank, name = d.name from device d
    where f.device_id = any(${sql.param([...deviceIds])}::uuid[]) and d.id = f.device_id
      and (f.serial_rank, f.name) is distinct from (d.serial_rank, d.name)`);
}

/** What no longer holds goes into the history. */
export async function closeFindings(
  tx: Transaction,
  findings: readonly Pick<OpenFinding, 'deviceId' | 'rule'>[],
  at: Date,
): Promise<void> {
  if (findings.length === 0) return;
  const rows = findings.map(({ deviceId, rule }) => ({ device_id: deviceId, rule }));
  await tx.execute(sql`
    with closed as (
      delete from finding f using ${rowsOf({ device_id: 'uuid', rule: 'text' }, rows)} r
      where f.device_id = r.device_id and f.rule = r.rule
      returning f.device_id, f.rule, f.severity, f.facts, f.opened_at)
    insert into finding_history (device_id, rule, severity, facts, opened_at, closed_at)
    select device_id, rule, severity, facts, opened_at, greatest(${at.toISOString()}::timestamptz, opened_at)
    from closed`);
}

/** When each device is to be looked at again; null: not until something happens. */
export async function saveChecks(
  tx: Transaction,
  checks: readonly { readonly deviceId: string; readonly dueAt: Date | null }[],
): Promise<void> {
  const never = checks.filter(({ dueAt }) => dueAt === null).map(({ deviceId }) => deviceId);
  if (never.length > 0) {
    await tx.execute(
      sql`delete from finding_check where device_id = any(${sql.param(never)}::uuid[])`,
    );
  }
  const rows = checks.flatMap(({ deviceId, dueAt }) =>
    dueAt === null ? [] : [{ device_id: deviceId, due_at: dueAt.toISOString() }],
  );
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into finding_check as c (device_id, due_at)
    select device_id, due_at from ${rowsOf({ device_id: 'uuid', due_at: 'timestamptz' }, rows)} r order by device_id
    on conflict (device_id) do update set due_at = excluded.due_at where c.due_at <> excluded.due_at`);
}

export async function selectPastFindings(
  on: Executor,
  viewer: Viewer,
  { deviceId, limit }: { readonly deviceId: string; readonly limit: number },
): Promise<PastFinding[]> {
  const { rows } = await on.execute<OpenRow & { closed_at: string; sees: boolean }>(sql`
    select f.rule, f.severity, f.facts, f.opened_at, f.closed_at, ${seesCommands(viewer)} as sees
    from finding_history f join device d on d.id = f.device_id
    where f.device_id = ${deviceId} order by f.closed_at desc, f.id desc limit ${limit}`);
  return rows.map((row) => ({
    rule: row.rule,
    severity: row.severity,
    facts: row.sees ? row.facts : withoutCommands(row.rule, row.facts),
    openedAt: isoOf(row.opened_at),
    closedAt: isoOf(row.closed_at),
  }));
}
