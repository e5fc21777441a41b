import { and, eq, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { commandRun, invocation } from './commands-tables.ts';

/** How runs went on devices, to be looked up by `deviceId` and joined with `runCommands`. */
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

/** What was run, to be joined by `runId`. */
export const runCommands = new QueryBuilder()
  .select({ runId: commandRun.id, command: commandRun.command })
  .from(commandRun)
  .as('run_command');

/** How many runs on a device have not ended. */
export const openInvocations = (deviceId: SQLWrapper): SQL<number> =>
  sql<number>`(${new QueryBuilder()
    .select({ count: sql`count(*)::int` })
    .from(invocation)
    .where(and(eq(invocation.deviceId, deviceId), isNull(invocation.endedAt)))})`;
