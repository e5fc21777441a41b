import {
  and,
  asc,
  desc,
  eq,
  exists,
  isNull,
  lte,
  ne,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { LockHolderRun } from '@deviceportal/contract/change-locks';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor, Transaction } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { changeLock, commandRun, invocation } from './commands-tables.ts';
import { isRunVisible } from './runs/runs-within.ts';

/** Number of runs that are named if many devices are locked. */
const MAX_NAMED = 5;

export async function listLocksOf(on: Executor, deviceId: string) {
  return on
    .select({
      invocationId: changeLock.invocationId,
      runId: changeLock.runId,
      command: changeLock.command,
      holder: changeLock.holder,
      holderId: changeLock.holderId,
      since: changeLock.since,
      expiresAt: changeLock.expiresAt,
      steps: changeLock.steps,
    })
    .from(changeLock)
    .where(eq(changeLock.deviceId, deviceId))
    .orderBy(asc(changeLock.since));
}

/** Whether a command of another user holds the change lock of a device. */
export const isLockedByOthers = (deviceId: SQLWrapper, userId: string): SQL =>
  exists(
    new QueryBuilder()
      .select({ runId: changeLock.runId })
      .from(changeLock)
      .where(and(eq(changeLock.deviceId, deviceId), ne(changeLock.holderId, userId))),
  );

/**
 * The runs of other users that hold the change locks of the most devices.
 *
 * @param devices a query of IDs, as `id`
 */
export async function findLockHolders(
  on: Executor,
  devices: SQL,
  userId: string,
): Promise<LockHolderRun[]> {
  const count = sql<number>`count(*)::int`;
  return on
    .select({
      runId: changeLock.runId,
      command: changeLock.command,
      holder: changeLock.holder,
      count,
    })
    .from(sql`(${devices}) as wanted`)
    .innerJoin(changeLock, eq(changeLock.deviceId, sql`wanted.id`))
    .where(ne(changeLock.holderId, userId))
    .groupBy(changeLock.runId, changeLock.command, changeLock.holder)
    .orderBy(desc(sql`count(*)`), asc(changeLock.runId))
    .limit(MAX_NAMED);
}

/** Number of unstarted devices of a run for which earlier runs are looked up. */
const MAX_DEVICES = 1_000;

/** Which queued runs to look up. */
interface QueuedWanted {
  readonly scopes: readonly Scope[];
  readonly runIds: readonly string[];
  /** Only this device; null for all devices. */
  readonly deviceId: string | null;
}

/** Changes by other users that runs are queued behind, those that block the most devices first. */
export async function findQueuedBehind(on: Executor, wanted: QueuedWanted) {
  const behind = changesAhead(on, wanted);
  return on
    .select({
      waits: behind.waits,
      runId: behind.runId,
      command: behind.command,
      holder: behind.holder,
      count: behind.count,
    })
    .from(behind)
    .where(lte(behind.place, MAX_NAMED))
    .orderBy(asc(behind.waits), asc(behind.place));
}

/** Each change that blocks devices of a run, with the number of devices and its rank among the changes of that run. */
function changesAhead(on: Executor, { scopes, runIds, deviceId }: QueuedWanted) {
  const asked = on
    .select({ runId: commandRun.id, createdById: commandRun.createdById })
    .from(commandRun)
    .where(
      and(
        isAnyOf(commandRun.id, runIds),
        isNull(commandRun.endedAt),
        ne(commandRun.consequence, 'reads'),
        isRunVisible(scopes),
      ),
    )
    .as('asked');
  const waiting = on
    .select({
      id: invocation.id,
      deviceId: invocation.deviceId,
      queuedAt: invocation.queuedAt,
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, asked.runId),
        deviceId === null ? undefined : eq(invocation.deviceId, deviceId),
        isNull(invocation.endedAt),
        isNull(invocation.startedAt),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .limit(MAX_DEVICES)
    .as('waiting');
  const other = alias(invocation, 'other');
  const count = sql<number>`count(distinct ${waiting.deviceId})::int`;
  return on
    .select({
      waits: sql<string>`${asked.runId}`.as('waits'),
      runId: changeLock.runId,
      command: changeLock.command,
      holder: changeLock.holder,
      count: count.as('devices'),
      place: sql<number>`row_number() over (
        partition by ${asked.runId} order by ${count} desc, ${changeLock.runId})`.as('place'),
    })
    .from(asked)
    .crossJoinLateral(waiting)
    .innerJoin(
      changeLock,
      and(
        eq(changeLock.deviceId, waiting.deviceId),
        ne(changeLock.runId, asked.runId),
        ne(changeLock.holderId, asked.createdById),
      ),
    )
    .innerJoin(
      other,
      sql`${other.id} = ${changeLock.invocationId}
        and (${other.queuedAt}, ${other.id}) < (${waiting.queuedAt}, ${waiting.id})`,
    )
    .groupBy(asked.runId, changeLock.runId, changeLock.command, changeLock.holder)
    .as('behind');
}

/** Waits for all changes that are being created concurrently. Held until the transaction ends. */
export async function waitForAllChanges(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('change-devices'))`);
}

/** Waits for concurrent changes of the device, and of many devices. Held until the transaction ends. */
export async function waitForChangesOf(tx: Transaction, deviceId: string): Promise<void> {
  await tx.execute(sql`
    select pg_advisory_xact_lock_shared(hashtext('change-devices')),
           pg_advisory_xact_lock(hashtext('change-device'), hashtext(${deviceId.toLowerCase()}))`);
}
