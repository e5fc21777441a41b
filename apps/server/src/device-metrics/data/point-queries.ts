import { and, asc, eq, gte, lt, lte, sql } from 'drizzle-orm';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import {
  deviceMetricDay,
  deviceMetricMonth,
  deviceMetricPending,
} from './device-metrics-tables.ts';

/**
 * Takes devices of the oldest day before the given one whose samples are not rolled up. They are
 * returned by the transaction's end if it fails. Waits for writers that mark them, and locks in their
 * order: samples that were added before are visible after it.
 */
export async function takePending(
  tx: Transaction,
  { beforeDay, limit }: { readonly beforeDay: number; readonly limit: number },
): Promise<{ readonly day: number; readonly deviceIds: readonly string[] } | undefined> {
  const { day, deviceId } = deviceMetricPending;
  const [oldest] = await tx
    .select({ day })
    .from(deviceMetricPending)
    .where(lt(day, beforeDay))
    .orderBy(asc(day))
    .limit(1);
  if (oldest === undefined) return undefined;
  const locked = await tx
    .select({ deviceId })
    .from(deviceMetricPending)
    .where(eq(day, oldest.day))
    .orderBy(asc(deviceId))
    .limit(limit)
    .for('update');
  const deviceIds = locked.map((row) => row.deviceId);
  await tx
    .delete(deviceMetricPending)
    .where(and(eq(day, oldest.day), isAnyOf(deviceId, deviceIds)));
  return { day: oldest.day, deviceIds };
}

export interface DayRow {
  readonly deviceId: string;
  readonly day: number;
  readonly points: Uint8Array;
}

export interface MonthRow {
  readonly deviceId: string;
  readonly month: number;
  readonly points: Uint8Array;
}

export async function writeDays(tx: Transaction, rows: readonly DayRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { day, deviceId, points } = deviceMetricDay;
  const given = rowsOf(
    { device_id: 'uuid', day: 'integer', points: 'bytea' },
    rows.map((row) => ({ device_id: row.deviceId, day: row.day, points: row.points })),
  );
  await tx.execute(sql`
    insert into ${deviceMetricDay} (${sql.identifier(deviceId.name)}, ${sql.identifier(day.name)}, ${sql.identifier(points.name)})
    select given.device_id, given.day, given.points from ${given} as given
    on conflict (${sql.identifier(deviceId.name)}, ${sql.identifier(day.name)})
      do update set ${sql.identifier(points.name)} = excluded.points`);
}

export async function writeMonths(tx: Transaction, rows: readonly MonthRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { month, deviceId, points } = deviceMetricMonth;
  const given = rowsOf(
    { device_id: 'uuid', month: 'integer', points: 'bytea' },
    rows.map((row) => ({ device_id: row.deviceId, month: row.month, points: row.points })),
  );
  await tx.execute(sql`
    insert into ${deviceMetricMonth} (${sql.identifier(deviceId.name)}, ${sql.identifier(month.name)}, ${sql.identifier(points.name)})
    select given.device_id, given.month, given.points from ${given} as given
    on conflict (${sql.identifier(deviceId.name)}, ${sql.identifier(month.name)})
      do update set ${sql.identifier(points.name)} = excluded.points`);
}

/** Both ends inclusive. */
export async function readDays(
  on: Executor,
  wanted: {
    readonly deviceIds: readonly string[];
    readonly fromDay: number;
    readonly toDay: number;
  },
): Promise<DayRow[]> {
  const { day, deviceId, points } = deviceMetricDay;
  return on
    .select({ deviceId, day, points })
    .from(deviceMetricDay)
    .where(
      and(isAnyOf(deviceId, wanted.deviceIds), gte(day, wanted.fromDay), lte(day, wanted.toDay)),
    )
    .orderBy(asc(day));
}

/** Both ends inclusive. */
export async function readMonths(
  on: Executor,
  wanted: {
    readonly deviceIds: readonly string[];
    readonly fromMonth: number;
    readonly toMonth: number;
  },
): Promise<MonthRow[]> {
  const { month, deviceId, points } = deviceMetricMonth;
  return on
    .select({ deviceId, month, points })
    .from(deviceMetricMonth)
    .where(
      and(
        isAnyOf(deviceId, wanted.deviceIds),
        gte(month, wanted.fromMonth),
        lte(month, wanted.toMonth),
      ),
    )
    .orderBy(asc(month));
}
