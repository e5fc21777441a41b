import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  notExists,
  or,
  sql,
} from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { supersededInstances } from '../../../devices/data/superseded-instances.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { Database } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import type { ClaimedInvocation } from './claim-queries.ts';
import { commandRun, invocation } from '../commands-tables.ts';

/** An invocation that was sent and has not ended. */
export interface SentInvocation extends ClaimedInvocation {
  readonly runId: string;
  readonly cancelling: boolean;
}

type Reader = Pick<Database, 'orm'>;

const FIND_LIMIT = 5_000;
/** The first devices start while the messages of the others are created. */
const SEND_LIMIT = 1_000;
/** The rest is found by the next full poll. */
const QUEUED_LIMIT = 20_000;
const READY_RUNS = 1_000;

const build = new QueryBuilder();

const sentColumns = {
  id: invocation.id,
  runId: invocation.runId,
  deviceId: invocation.deviceId,
  attempt: invocation.attempt,
  cancelling: sql<boolean>`${invocation.state} = 'Cancelling'`,
  deliverBefore: invocation.deliverBefore,
  expiresAt: invocation.expiresAt,
};

/** Another instance does not know what this one was sent, and must not start it a second time. */
const isForCurrentInstance = notExists(
  build
    .select({ instanceId: supersededInstances.instanceId })
    .from(supersededInstances)
    .where(eq(supersededInstances.instanceId, invocation.instanceId)),
);

const isConnected = inArray(deviceConnections.connectivity, ['online', 'degraded']);

/** Invocations sent earlier to devices that have just connected, which may have been lost. */
export async function findSent(
  { orm }: Reader,
  deviceIds: readonly string[],
): Promise<SentInvocation[]> {
  return orm
    .select(sentColumns)
    .from(invocation)
    .where(
      and(
        isAnyOf(invocation.deviceId, deviceIds),
        isNull(invocation.endedAt),
        isNotNull(invocation.sentAt),
        isForCurrentInstance,
      ),
    )
    .orderBy(asc(invocation.queuedAt))
    .limit(FIND_LIMIT);
}

/** A page of the invocations that were sent by the transaction of their run, after an invocation. */
export async function findSentAtOnce(
  { orm }: Reader,
  runId: string,
  after: string,
): Promise<SentInvocation[]> {
  return orm
    .select(sentColumns)
    .from(invocation)
    .where(
      and(
        eq(invocation.runId, runId),
        eq(invocation.state, 'InProgress'),
        gt(invocation.id, after),
        eq(invocation.sentAt, invocation.queuedAt),
      ),
    )
    .orderBy(asc(invocation.runId), asc(invocation.state), asc(invocation.id))
    .limit(SEND_LIMIT);
}

/** Invocations sent some time ago to a connected device that has not responded. */
export async function findUnanswered(
  { orm }: Reader,
  olderThanSeconds: number,
): Promise<SentInvocation[]> {
  const latest = sql`${portalNow} - make_interval(secs => ${olderThanSeconds})`;
  return orm
    .select(sentColumns)
    .from(invocation)
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
    .where(
      and(
        isNull(invocation.endedAt),
        isConnected,
        isForCurrentInstance,
        or(
          and(
            eq(invocation.state, 'InProgress'),
            isNull(invocation.startedAt),
            lt(invocation.sentAt, latest),
          ),
          and(eq(invocation.state, 'Cancelling'), lt(invocation.cancelRequestedAt, latest)),
        ),
      ),
    )
    .orderBy(asc(invocation.sentAt))
    .limit(FIND_LIMIT);
}

const isRunHeld = exists(
  build
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(
      and(eq(commandRun.id, invocation.runId), inArray(commandRun.state, ['Paused', 'Approval'])),
    ),
);

const isQueued = and(
  isNull(invocation.endedAt),
  eq(invocation.state, 'Pending'),
  sql`not ${isRunHeld}`,
);

/** Runs with invocations queued for connected devices. */
export async function findReadyRuns({ orm }: Reader): Promise<string[]> {
  const rows = await orm
    .selectDistinct({ runId: invocation.runId })
    .from(invocation)
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
    .where(and(isQueued, isConnected))
    .limit(READY_RUNS);
  return rows.map(({ runId }) => runId);
}

/** Invocations queued for devices that have just connected: device IDs by run. */
export async function findQueuedFor(
  { orm }: Reader,
  deviceIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await orm
    .select({ runId: invocation.runId, deviceId: invocation.deviceId })
    .from(invocation)
    .where(and(isAnyOf(invocation.deviceId, deviceIds), isQueued))
    .limit(QUEUED_LIMIT);
  const queued = new Map<string, string[]>();
  for (const { runId, deviceId } of rows) {
    const own = queued.get(runId);
    if (own) own.push(deviceId);
    else queued.set(runId, [deviceId]);
  }
  return queued;
}

/** Devices of invocations that are to be canceled. */
export async function findCancelling(
  { orm }: Reader,
  invocationIds: readonly string[],
): Promise<{ readonly id: string; readonly deviceId: string }[]> {
  return orm
    .select({ id: invocation.id, deviceId: invocation.deviceId })
    .from(invocation)
    .where(and(isAnyOf(invocation.id, invocationIds), eq(invocation.state, 'Cancelling')));
}

/** The invocation of a run on each of the devices. */
export async function findInvocationsOn(
  { orm }: Reader,
  runId: string,
  deviceIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await orm
    .select({ id: invocation.id, deviceId: invocation.deviceId })
    .from(invocation)
    .where(and(eq(invocation.runId, runId), isAnyOf(invocation.deviceId, deviceIds)));
  return new Map(rows.map(({ id, deviceId }) => [deviceId, id]));
}

/** Those of the invocations that have not ended. */
export async function findOpenAmong({ orm }: Reader, invocationIds: readonly string[]) {
  return orm
    .select({
      id: invocation.id,
      deviceId: invocation.deviceId,
      state: invocation.state,
      startedAt: invocation.startedAt,
      deliverBefore: invocation.deliverBefore,
    })
    .from(invocation)
    .where(and(isAnyOf(invocation.id, invocationIds), isNull(invocation.endedAt)));
}
