import { eq, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import { isHeld } from '../../legal-holds/data/held.ts';
import { portalNow } from '../../platform/columns.ts';
import { commandRun, invocation } from './commands-tables.ts';

const run = alias(commandRun, 'run_of_invocation');

/** Whether a legal hold covers an invocation: by its device, the user who started it, or its time. */
export const isInvocationHeld: SQL = isHeld({
  device: invocation.deviceId,
  user: sql`(${new QueryBuilder()
    .select({ createdById: run.createdById })
    .from(run)
    .where(eq(run.id, invocation.runId))})`,
  at: sql`coalesce(${invocation.endedAt}, ${portalNow})`,
});
