import { and, desc, eq, isNotNull, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { jsonObject } from '../../platform/database/json-rows.ts';
import { scalar } from '../../platform/database/scalar.ts';
import { commandRun, invocation } from './commands-tables.ts';

/** Result of the last command on a device, as JSON. */
export const lastEndedInvocation = (deviceId: SQLWrapper) =>
  scalar(
    new QueryBuilder()
      .select({
        value: jsonObject({
          id: invocation.id,
          command: commandRun.command,
          state: invocation.state,
          statusDetails: invocation.statusDetails,
          responseCode: invocation.responseCode,
          endedAt: invocation.endedAt,
        }),
      })
      .from(invocation)
      .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
      .where(and(eq(invocation.deviceId, deviceId), isNotNull(invocation.endedAt)))
      .orderBy(desc(invocation.queuedAt), desc(invocation.id))
      .limit(1),
  );
