import { and, eq, exists, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecordsAs } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { invocation } from './commands-tables.ts';

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
