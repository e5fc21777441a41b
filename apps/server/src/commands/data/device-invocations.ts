import { and, eq, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { commandRun, invocation } from './commands-tables.ts';

/** Invocations of devices, for look-ups by `deviceId` and joins with `runCommands`. */
export const deviceInvocations = new QueryBuilder()
  .select({
    invocationId: invocation.id,
    runId: invocation.runId,
    deviceId: invocation.deviceId,
    state: invocation.state,
    statusDetails: invocation.statusDetails,
    responseCode: invocation.responseCode,
    steps: invocation.steps,
    queuedAt: invocation.queuedAt,
    endedAt: invocation.endedAt,
  })
  .from(invocation)
  .as('device_invocation');

/** Commands of runs, for joins by `runId`. */
export const runCommands = new QueryBuilder()
  .select({ runId: commandRun.id, command: commandRun.command })
  .from(commandRun)
  .as('run_command');

/** Number of open invocations of a device. */
export const openInvocations = (deviceId: SQLWrapper): SQL<number> =>
  sql<number>`(${new QueryBuilder()
    .select({ count: sql`count(*)::int` })
    .from(invocation)
    .where(and(eq(invocation.deviceId, deviceId), isNull(invocation.endedAt)))})`;
