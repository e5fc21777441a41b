import { and, eq, gt, isNotNull, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { NotificationFacts } from '@deviceportal/contract/notifications';
import { hasPermissionOnDevice } from '../../../access/data/users-with-permission.ts';
import { isStageRun } from '../../../air-blast/data/is-stage-run.ts';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceLabel } from '../../../devices/data/device-standing.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { jsonObject } from '../../../platform/database/json-rows.ts';
import { scalar } from '../../../platform/database/scalar.ts';
import { commandRun, invocation, runSchedule } from '../commands-tables.ts';

/**
 * For each run on several devices, the number of devices on which these invocations ran after a reconnect, with the
 * first of them; limited to devices on which the sender can see commands. Stages of AirBlast rollouts are excluded.
 */
export async function countRanAfterReturn(on: Executor, invocationIds: readonly string[]) {
  const firstOf = <Value>(value: ReturnType<typeof sql<Value>>) =>
    sql<Value>`(array_agg(${value} order by ${invocation.endedAt}))[1]`;
  return on
    .select({
      userId: commandRun.createdById,
      runId: commandRun.id,
      command: commandRun.command,
      devices: sql<number>`count(*)::int`,
      deviceId: firstOf(sql<string>`${invocation.deviceId}`),
      device: firstOf(deviceLabel()),
      statusDetails: firstOf(sql<string>`${invocation.statusDetails}`),
    })
    .from(invocation)
    .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
    .where(
      and(
        isAnyOf(invocation.id, invocationIds),
        gt(commandRun.targetCount, 1),
        isNotNull(invocation.startedAt),
        gt(deviceConnections.connectivitySince, invocation.queuedAt),
        sql`not ${isStageRun(commandRun.idempotencyKey)}`,
        hasPermissionOnDevice(commandRun.createdById, 'commands:read', deviceRecords),
      ),
    )
    .groupBy(commandRun.id);
}

const build = new QueryBuilder();

const single = build
  .select({
    invocationId: invocation.id,
    deviceId: invocation.deviceId,
    device: deviceLabel().as('device_label'),
    cameBack:
      sql<boolean>`${invocation.sentAt} is not null and ${deviceConnections.connectivitySince} > ${invocation.queuedAt}`.as(
        'came_back',
      ),
  })
  .from(invocation)
  .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
  .leftJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
  .where(and(eq(commandRun.targetCount, 1), eq(invocation.runId, commandRun.id)))
  .limit(1)
  .as('single');

const SCHEDULE = 'schedule:';

const scheduleName = build
  .select({ value: runSchedule.name })
  .from(runSchedule)
  .where(
    and(
      sql`starts_with(${commandRun.requestId}, ${SCHEDULE})`,
      sql`${runSchedule.id}::text = substr(${commandRun.requestId}, ${SCHEDULE.length + 1}::int)`,
    ),
  );

/** An ended run with the facts of the notification to its sender; undefined if it has not ended. */
export async function findEndedRun(on: Executor, runId: string, briefSeconds: number) {
  const facts = jsonObject({
    runId: commandRun.id,
    command: commandRun.command,
    statusDetails: commandRun.statusDetails,
    target: commandRun.targetCount,
    success: commandRun.successCount,
    failed: commandRun.failedCount,
    timedOut: commandRun.timedOutCount,
    cancelled: commandRun.cancelledCount,
    deviceId: single.deviceId,
    invocationId: single.invocationId,
    device: single.device,
  });
  const [found] = await on
    .select({
      userId: commandRun.createdById,
      /** The schedule that started it; null if a user did. */
      scheduleName: scalar(scheduleName),
      facts: sql<NotificationFacts>`${facts}`,
      isStage: sql<boolean>`${isStageRun(commandRun.idempotencyKey)}`,
      /** On one device, and finished within `briefSeconds`. */
      isBrief: sql<boolean>`${commandRun.targetCount} <= 1
        and ${commandRun.endedAt} - ${commandRun.createdAt} < make_interval(secs => ${briefSeconds})`,
      /** Its only device connected after it was queued. */
      cameBack: sql<boolean>`coalesce(${single.cameBack}, false)`,
    })
    .from(commandRun)
    .leftJoinLateral(single, sql`true`)
    .where(and(eq(commandRun.id, runId), isNotNull(commandRun.endedAt)));
  return found;
}
