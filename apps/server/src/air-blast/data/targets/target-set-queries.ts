import { and, asc, eq, isNotNull, isNull, notExists, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import type { Executor, Transaction } from '../../../platform/database/database.ts';
import { insertColumns } from '../../../platform/database/insert-columns.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { rowsFor } from '../../../platform/database/rows-for.ts';
import { rowsOf } from '../../../platform/database/rows-of.ts';
import type { PlanKey } from '../air-blast-record.ts';
import { airBlastTarget } from '../air-blast-tables.ts';
import { countAll } from './outcome-counts.ts';
import { isInTargetSet, isTargetOf } from './target-conditions.ts';

const build = new QueryBuilder();

export type NewTarget = Pick<typeof airBlastTarget.$inferSelect, 'deviceId' | 'exclusion'>;

const inserted = insertColumns(airBlastTarget, ['deviceId', 'airBlastId', 'revision', 'exclusion']);

/** All devices of a plan, excluded ones included. */
export async function insertTargets(
  tx: Transaction,
  { id, revision }: PlanKey,
  devices: readonly NewTarget[],
): Promise<void> {
  if (devices.length === 0) return;
  const rows = devices.map(({ deviceId, exclusion }) => ({
    ...{ deviceId, airBlastId: id, revision, exclusion },
  }));
  await tx.execute(sql`
    insert into ${airBlastTarget} (${inserted.names})
    select ${inserted.values} from ${rowsOf(inserted.types, rows)} as target`);
}

/** A query of the IDs in the target set of a plan. */
export const targetSet = (plan: PlanKey) =>
  build
    .select({ id: airBlastTarget.deviceId })
    .from(airBlastTarget)
    .where(and(isTargetOf(plan), isInTargetSet));

/** In the order of IDs, as the hash of a target set covers them. */
export async function selectTargetSet(on: Executor, plan: PlanKey): Promise<string[]> {
  const set = targetSet(plan).as('target_set');
  const rows = await on.select({ id: set.id }).from(set).orderBy(asc(set.id));
  return rows.map(({ id }) => id);
}

/** How many of these devices are not in the target set of a plan. */
export async function countOutsideSet(
  on: Executor,
  plan: PlanKey,
  deviceIds: readonly string[],
): Promise<number> {
  const wave = alias(airBlastTarget, 'wave');
  const [found] = await on
    .select({ count: countAll })
    .from(
      rowsFor(
        wave,
        ['deviceId'],
        deviceIds.map((deviceId) => ({ deviceId })),
      ),
    )
    .where(
      notExists(
        build
          .select({ id: airBlastTarget.deviceId })
          .from(airBlastTarget)
          .where(and(isTargetOf(plan), isInTargetSet, eq(airBlastTarget.deviceId, wave.deviceId))),
      ),
    );
  return found?.count ?? 0;
}

/** Excludes failed devices from all later waves. Their results stay. */
export async function leaveOutTargets(
  tx: Transaction,
  plan: PlanKey,
  deviceIds: readonly string[],
): Promise<void> {
  await tx
    .update(airBlastTarget)
    .set({ noGo: sql`array_append(coalesce(${airBlastTarget.noGo}, '{}'), 'left-out')` })
    .where(and(isTargetOf(plan), isAnyOf(airBlastTarget.deviceId, deviceIds)));
}

export async function setRunOfTargets(
  tx: Transaction,
  plan: PlanKey,
  run: {
    readonly id: string;
    readonly kind: 'change' | 'verify';
    readonly deviceIds: readonly string[];
  },
): Promise<void> {
  await tx
    .update(airBlastTarget)
    .set(run.kind === 'verify' ? { verifyRunId: run.id } : { runId: run.id })
    .where(and(isTargetOf(plan), isAnyOf(airBlastTarget.deviceId, run.deviceIds)));
}

/** Whether the change has been sent to a device in any plan of a rollout. */
export async function hasSentChange(on: Executor, id: string): Promise<boolean> {
  const [sent] = await on
    .select({ deviceId: airBlastTarget.deviceId })
    .from(airBlastTarget)
    .where(and(eq(airBlastTarget.airBlastId, id), isNotNull(airBlastTarget.runId)))
    .limit(1);
  return sent !== undefined;
}

/** A query of the attributes by which scopes reach the devices of a plan, without excluded ones. */
export const devicesOfPlan = (plan: PlanKey): SQL =>
  build
    .select({
      country: deviceRecords.country,
      model: deviceRecords.model,
      labels: deviceRecords.labels,
    })
    .from(airBlastTarget)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, airBlastTarget.deviceId))
    .where(and(isTargetOf(plan), isNull(airBlastTarget.exclusion)))
    .getSQL();
