import { and, asc, eq, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { scalar } from '../../platform/database/scalar.ts';
import { commandRun, invocation } from './commands-tables.ts';

/** The first queued of the other open runs on a device, as JSON. */
export const otherOpenRun = (deviceId: SQLWrapper, runId: SQLWrapper) =>
  scalar(
    new QueryBuilder()
      .select({ value: jsonObject({ runId: commandRun.id, command: commandRun.command }) })
      .from(invocation)
      .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
      .where(
        and(
          eq(invocation.deviceId, deviceId),
          isNull(invocation.endedAt),
          sql`${invocation.runId} is distinct from ${runId}`,
        ),
      )
      .orderBy(asc(invocation.queuedAt))
      .limit(1),
  );
