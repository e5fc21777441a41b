import { and, eq, exists, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecordsAs } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../../devices/is-everywhere.ts';
import { commandRun, invocation } from '../commands-tables.ts';

const build = new QueryBuilder();
const target = deviceRecordsAs('target');

/** Whether a device of a run is within one of the scopes. */
export const isRunWithin = (scopes: readonly Scope[], runId: SQLWrapper): SQL =>
  exists(
    build
      .select({ id: invocation.id })
      .from(invocation)
      .innerJoin(target, eq(target.deviceId, invocation.deviceId))
      .where(and(eq(invocation.runId, runId), deviceScopeCondition(scopes, target))),
  );

/** Whether a run is visible: one of its devices is, or the scope is unlimited. */
export const isRunVisible = (scopes: readonly Scope[], runId: SQLWrapper = commandRun.id) =>
  scopes.some(isEverywhere) ? undefined : isRunWithin(scopes, runId);

/** A query of the devices of a run that are outside all scopes. */
export const devicesBeyond = (scopes: readonly Scope[], runId: SQLWrapper | string) =>
  build
    .select({ id: invocation.id })
    .from(invocation)
    .innerJoin(target, eq(target.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        // The condition is null for a device without a country, which counts as outside.
        sql`(${deviceScopeCondition(scopes, target)}) is not true`,
      ),
    );
