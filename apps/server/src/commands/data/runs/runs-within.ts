import { and, eq, exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecordsAs } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../../devices/is-everywhere.ts';
import { commandRun, invocation } from '../commands-tables.ts';

const build = new QueryBuilder();
const target = deviceRecordsAs('target');

/** Whether one of the scopes reaches a device of a run. */
export const isRunWithin = (scopes: readonly Scope[], runId: SQLWrapper): SQL =>
  exists(
    build
      .select({ id: invocation.id })
      .from(invocation)
      .innerJoin(target, eq(target.deviceId, invocation.deviceId))
      .where(and(eq(invocation.runId, runId), deviceScopeCondition(scopes, target))),
  );

/** Whether a run is visible: it is where one of its devices is, and with a scope without limits. */
export const isRunInSight = (scopes: readonly Scope[], runId: SQLWrapper = commandRun.id) =>
  scopes.some(isEverywhere) ? undefined : isRunWithin(scopes, runId);

/** A query of the devices of a run that none of the scopes reaches. */
export const devicesBeyond = (scopes: readonly Scope[], runId: SQLWrapper | string) =>
  build
    .select({ id: invocation.id })
    .from(invocation)
    .innerJoin(target, eq(target.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        // A device without a country makes the condition null, which is not inside.
        sql`(${deviceScopeCondition(scopes, target)}) is not true`,
      ),
    );
