import { and, eq, inArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { RunCounters } from '@deviceportal/contract/runs';
import type { Scope } from '@deviceportal/contract/permissions';
import type { InvocationState } from '@deviceportal/contract/states';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../../devices/is-everywhere.ts';
import { commandRun, invocation } from '../commands-tables.ts';

/** A row of `command_run`, or of a subquery with its columns. */
interface CountedRun {
  readonly id: SQLWrapper;
  readonly targetCount: SQLWrapper;
  readonly pendingCount: SQLWrapper;
  readonly inProgressCount: SQLWrapper;
  readonly successCount: SQLWrapper;
  readonly failedCount: SQLWrapper;
  readonly timedOutCount: SQLWrapper;
  readonly cancelledCount: SQLWrapper;
}

const build = new QueryBuilder();

/**
 * Numbers of devices of a run by state within the scopes, for lateral joins. With an unlimited scope these are the
 * stored counters of the run; otherwise its invocations are counted.
 */
export const runCountersIn = (scopes: readonly Scope[], run: CountedRun = commandRun) =>
  scopes.some(isEverywhere) ? kept(run) : counted(scopes, run.id);

const objectOf = (counts: Readonly<Record<keyof RunCounters, SQLWrapper>>): SQL<RunCounters> =>
  sql<RunCounters>`jsonb_build_object(${sql.join(
    Object.entries(counts).map(([name, count]) => sql`${sql.raw(`'${name}'`)}, ${count}`),
    sql`, `,
  )})`;

const kept = (run: CountedRun) =>
  build
    .select({
      target: sql<number>`${sql`${run.targetCount}`}`.as('seen_target'),
      counters: objectOf({
        target: run.targetCount,
        pending: run.pendingCount,
        inProgress: run.inProgressCount,
        success: run.successCount,
        failed: run.failedCount,
        timedOut: run.timedOutCount,
        cancelled: run.cancelledCount,
      }).as('seen_counters'),
    })
    .from(sql`(select) as one`)
    .as('seen');

const countOf = (...states: readonly InvocationState[]): SQL =>
  sql`count(*) filter (where ${inArray(invocation.state, [...states])})`;

const counted = (scopes: readonly Scope[], runId: SQLWrapper) =>
  build
    .select({
      target: sql<number>`count(*)::int`.as('seen_target'),
      counters: objectOf({
        target: sql`count(*)`,
        pending: countOf('Pending', 'Delayed'),
        inProgress: countOf('InProgress', 'Cancelling'),
        success: countOf('Success'),
        failed: countOf('Failed'),
        timedOut: countOf('TimedOut'),
        cancelled: countOf('Cancelled'),
      }).as('seen_counters'),
    })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(and(eq(invocation.runId, runId), deviceScopeCondition(scopes, deviceRecords)))
    .as('seen');
