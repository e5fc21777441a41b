import { and, eq, exists, gt, inArray, isNull, ne, notExists, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../../devices/is-everywhere.ts';
import { portalNow } from '../../../platform/columns.ts';
import type { MomentCursor } from '../../../platform/moment-cursor.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { commandRun, invocation } from '../commands-tables.ts';
import { devicesBeyond, isRunVisible } from './runs-within.ts';

/** Filter of runs; absent, null, or false fields do not limit. */
export interface RunFilter {
  readonly deviceId?: string | null;
  readonly documentName?: string | null;
  readonly createdById?: string | null;
  /** Not ended. */
  readonly active?: boolean;
  /** Started in the last 24 hours and failed on a device in scope. */
  readonly failing?: boolean;
  /** Ended on this day, `2026-11-20` in UTC. */
  readonly endedOn?: string | null;
  /** Waiting for approval that this user can give: all devices are in the scope of the permission. */
  readonly approvableBy?: Viewer | null;
  readonly after?: MomentCursor | null;
}

/** Delivery within 30 days, then execution and approval. */
const MAX_RUN_DAYS = 40;

const build = new QueryBuilder();

/** @param scopes in which runs and their devices are visible */
export function runConditions(scopes: readonly Scope[], filter: RunFilter): SQL | undefined {
  const { deviceId, documentName, createdById, active, failing, approvableBy, after } = filter;
  const { endedOn } = filter;
  return and(
    isRunVisible(scopes),
    deviceId ? inArray(commandRun.id, runsOn(scopes, deviceId)) : undefined,
    documentName ? eq(commandRun.documentName, documentName) : undefined,
    createdById ? eq(commandRun.createdById, createdById) : undefined,
    active === true ? isNull(commandRun.endedAt) : undefined,
    failing === true ? isFailing(scopes) : undefined,
    endedOn ? hasEndedOn(endedOn) : undefined,
    approvableBy ? isApprovableBy(approvableBy) : undefined,
    after
      ? sql`(${commandRun.createdAt}, ${commandRun.id}) < (${after.at}::timestamptz, ${after.id}::uuid)`
      : undefined,
  );
}

const invocationsWithin = (scopes: readonly Scope[], condition: SQL | undefined) =>
  build
    .select({ runId: invocation.runId })
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(and(condition, deviceScopeCondition(scopes, deviceRecords)));

const runsOn = (scopes: readonly Scope[], deviceId: string) =>
  invocationsWithin(scopes, eq(invocation.deviceId, deviceId));

function isFailing(scopes: readonly Scope[]): SQL | undefined {
  const hasFailed = scopes.some(isEverywhere)
    ? sql`${commandRun.failedCount} + ${commandRun.timedOutCount} > 0`
    : exists(
        invocationsWithin(
          scopes,
          and(
            eq(invocation.runId, commandRun.id),
            inArray(invocation.state, ['Failed', 'TimedOut']),
          ),
        ),
      );
  return and(gt(commandRun.createdAt, sql`${portalNow} - interval '1 day'`), hasFailed);
}

/** A run ends at most as long after its start as it can be delivered and executed, which limits what is read. */
function hasEndedOn(day: string): SQL {
  const start = sql`(${day}::date)::timestamp at time zone 'UTC'`;
  return sql`${commandRun.endedAt} >= ${start} and ${commandRun.endedAt} < ${start} + interval '1 day'
    and ${commandRun.createdAt} < ${start} + interval '1 day'
    and ${commandRun.createdAt} > ${start} - make_interval(days => ${MAX_RUN_DAYS})`;
}

const isApprovableBy = ({ userId, grants }: Viewer): SQL | undefined =>
  and(
    eq(commandRun.state, 'Approval'),
    ne(commandRun.createdById, userId),
    notExists(devicesBeyond(scopesOf(grants, ['air-blast:approve']), commandRun.id)),
  );
