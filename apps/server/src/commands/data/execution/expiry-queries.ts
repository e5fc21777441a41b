import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { invocationState, isFinal, type InvocationState } from '@deviceportal/contract/states';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { commandRun, invocation } from '../commands-tables.ts';
import { openColumns } from './open-invocation-queries.ts';

/** Allowance for the delay of reports, and for devices to stop a command themselves. */
const GRACE_SECONDS = 30;
const grace = sql.raw(`interval '${GRACE_SECONDS} seconds'`);

interface Overdue {
  /** Open runs to check. */
  readonly run: SQL | undefined;
  readonly invocation?: SQL | undefined;
}

const hasExpired = lt(commandRun.expiresAt, portalNow);
const hasStarted = isNotNull(invocation.startedAt);
const isApproved = ne(commandRun.state, 'Approval');

/** Runs are selected before their invocations; above the number of open runs at any time. */
const MAX_RUNS = 100_000;

const openRuns = (which: SQL | undefined) =>
  new QueryBuilder()
    .select({
      id: commandRun.id,
      deliverBefore: commandRun.deliverBefore,
      executionTimeoutSeconds: commandRun.executionTimeoutSeconds,
    })
    .from(commandRun)
    .where(and(isNull(commandRun.endedAt), which))
    .limit(MAX_RUNS)
    .as('open_run');

/** For its columns only: each kind selects its own runs. */
const openRun = openRuns(undefined);

/**
 * Conditions of timeouts, by kind. Timeouts are stored per run, so due invocations are found by the few open runs,
 * without an index over invocations.
 */
const overdue = {
  approval: {
    run: and(eq(commandRun.state, 'Approval'), lt(commandRun.deliverBefore, portalNow)),
  },
  /** Nothing stays open after its expiry, even after crashes (docs/design/decisions.md, section 4). */
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
  /** An offline device can have finished in time, so its result is awaited until the expiry. */
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

/** In addition to "not ended", for the index by run and state. */
const openStates = sql.param(
  (Object.keys(invocationState) as InvocationState[]).filter((state) => !isFinal(state)),
);

/** Locks timed-out invocations. Rows locked by others are skipped and found by the next poll. */
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
