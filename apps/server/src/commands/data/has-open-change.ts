import { and, eq, exists, isNull, ne, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { commandRun, invocation } from './commands-tables.ts';

/** Whether a command that changes the device is queued or running on it. */
export const hasOpenChange = (deviceId: SQLWrapper): SQL =>
  exists(
    new QueryBuilder()
      .select({ id: invocation.id })
      .from(invocation)
      .innerJoin(commandRun, eq(commandRun.id, invocation.runId))
      .where(
        and(
          eq(invocation.deviceId, deviceId),
          isNull(invocation.endedAt),
          ne(commandRun.consequence, 'reads'),
        ),
      ),
  );
