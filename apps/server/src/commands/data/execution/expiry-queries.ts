import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { invocationState, isFinal, type InvocationState } from '@deviceportal/contract/states';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { commandRun, invocation } from '../commands-tables.ts';
import { openColumns } from './open-invocation-queries.ts';

/** A device that began in time reports it a little later; one that stops itself needs a moment, too. */
const GRACE_SECONDS = 30;
const grace = sql.raw(`interval '${GRACE_SECONDS} seconds'`);

interface Overdue {
  /** Which open runs it is about at all. */
  readonly run: SQL | undefined;
  readonly invocation?: SQL | undefined;
}

const hasExpired = lt(commandRun.expiresAt, portalNow);
const hasStarted = isNotNull(invocation.startedAt);
const isApproved = ne(commandRun.state, 'Approval');

/** More than there are at a time: the runs are found first, and then their invocations. */
const MOST_RUNS = 100_000;

const openRuns = (which: SQL | undefined) =>
  new QueryBuilder()
    .select({
      id: commandRun.id,
      deliverBefore: commandRun.deliverBefore,
      executionTimeoutSeconds: commandRun.executionTimeoutSeconds,
    })
    .from(commandRun)
    .where(and(isNull(commandRun.endedAt), which))
    .limit(MOST_RUNS)
    .as('open_run');

/** For columns alone: each kind looks at runs of its own. */
const openRun = openRuns(undefined);

/**
 * What has run out of time, by how. The times are the run's, the same for all its invocations: what is due is found by
 * way of the few runs that are open, without an index of its own over invocations.
 */
const overdue = {
  approval: {
    run: and(eq(commandRun.state, 'Approval'), lt(commandRun.deliverBefore, portalNow)),
  },
  /** Nothing stays open past its expiry, whatever crashed (docs/design/decisions.md, section 4). */
  cancelling: { run: hasExpired, invocation: eq(invocation.state, 'Cancelling') },
  started: { run: hasExpired, invocation: hasStarted },
  unfinished: { run: and(isApproved, hasExpired) },
  undelivered: {
    run: and(isApproved, lt(commandRun.deliverBefore, portalNow)),
    invocation: and(
      isNull(invocation.startedAt),
      or(
        isNull(invocation.sentAt),
        and(
          sql`${openRun.deliverBefore} + ${grace} < ${portalNow}`,
          eq(invocation.state, 'InProgress'),
        ),
      ),
    ),
  },
  /** A device that is away may have finished in time: its result is waited for until the expiry. */
  tooLong: {
    run: gt(commandRun.inProgressCount, 0),
    invocation: and(
      hasStarted,
      inArray(invocation.state, ['InProgress', 'Cancelling']),
      inArray(deviceConnections.connectivity, ['online', 'degraded']),
      sql`greatest(${invocation.startedAt}, ${deviceConnections.connectivitySince})
        + make_interval(secs => ${openRun.executionTimeoutSeconds}) + ${grace} < ${portalNow}`,
    ),
  },
} satisfies Readonly<Record<string, Overdue>>;

export type OverdueKind = keyof typeof overdue;

/** Said beside "not ended", for the index by run and state. */
const openStates = sql.param(
  (Object.keys(invocationState) as InvocationState[]).filter((state) => !isFinal(state)),
);

/** Locks what has run out of time; what is being changed is skipped, and found by the next look. */
export async function lockOverdue(tx: Transaction, kind: OverdueKind, limit: number) {
  const which: Overdue = overdue[kind];
  return tx
    .select({ ...openColumns, sent: sql<boolean>`${invocation.sentAt} is not null` })
    .from(invocation)
    .innerJoin(openRuns(which.run), eq(openRun.id, invocation.runId))
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, invocation.deviceId))
    .where(
      and(
        isNull(invocation.endedAt),
        sql`${invocation.state} = any(${openStates}::text[])`,
        which.invocation,
      ),
    )
    .limit(limit)
    .for('update', { of: invocation, skipLocked: true });
}
