import {
  and,
  eq,
  exists,
  gte,
  inArray,
  isNull,
  ne,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { commandRun, invocation } from './commands-tables.ts';

/** Whether a command that changes the device is queued or running on it. */
export const hasOpenChange = (deviceId: SQLWrapper): SQL => hasChange(deviceId, undefined);

/**
 * Whether a device executes a command that changes it, alone or in a wave of a rollout. Queued commands do not count,
 * and neither do those that were sent before a time.
 */
export const hasRunningChange = (deviceId: SQLWrapper, sentSince: Date): SQL =>
  hasChange(
    deviceId,
    and(
      inArray(invocation.state, ['InProgress', 'Cancelling']),
      gte(invocation.sentAt, sql`${sentSince.toISOString()}::timestamptz`),
    ),
  );

const hasChange = (deviceId: SQLWrapper, isWanted: SQL | undefined): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: invocation.id })
      .from(invocation)
      .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
      .where(
        and(
          eq(invocation.deviceId, deviceId),
          isNull(invocation.endedAt),
          isWanted,
          ne(commandRun.consequence, 'reads'),
        ),
      ),
  );
