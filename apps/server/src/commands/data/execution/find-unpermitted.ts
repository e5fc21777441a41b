import { and, asc, eq, exists, inArray, isNull, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { activeUsers } from '../../../access/data/active-users.ts';
import { currentGrantsAs } from '../../../access/data/current-grants.ts';
import { userNames } from '../../../access/data/user-names.ts';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { scopeReaches } from '../../../devices/data/scope-reaches.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { commandDefinition, commandRun, invocation } from '../commands-tables.ts';
import { openColumns, type OpenInvocation } from './open-invocation-queries.ts';

/** Limit per call; the rest is found by the next poll of the run. */
const LIMIT = 5_000;

const build = new QueryBuilder();
const held = currentGrantsAs('held');

/** Scopes in which the creator of a run can currently run it; empty unless their account is active. */
const scopesToRun = (runId: string) =>
  build
    .select({ scope: held.scope })
    .from(commandRun)
    .innerJoin(activeUsers, eq(activeUsers.userId, commandRun.createdById))
    .innerJoin(held, eq(held.userId, commandRun.createdById))
    .leftJoin(commandDefinition, eq(commandDefinition.command, commandRun.command))
    .where(
      and(
        eq(commandRun.id, runId),
        sql`${held.permissions} ?| (array['commands:run:@' || ${commandRun.consequence}]
          || case when ${commandDefinition.documentName} = ${commandRun.documentName}
             then array['commands:run:' || ${commandRun.command}] end)`,
      ),
    );

const isMadeByUser = (runId: string) =>
  exists(
    build
      .select({ userId: userNames.userId })
      .from(commandRun)
      .innerJoin(userNames, eq(userNames.userId, commandRun.createdById))
      .where(eq(commandRun.id, runId)),
  );

/**
 * Invocations of a run that its creator is no longer permitted to send: their account is not active, or none of their
 * current permanent or temporary roles allows the command on that device. One statement for all invocations, which are
 * locked. Runs created by the system are not checked.
 *
 * @param which these invocations, or all that have not been sent
 */
export async function findUnpermitted(
  tx: Transaction,
  runId: string,
  which: readonly string[] | 'unsent',
): Promise<OpenInvocation[]> {
  const rows = await tx
    .select(openColumns)
    .from(invocation)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, invocation.deviceId))
    .where(
      and(
        eq(invocation.runId, runId),
        isNull(invocation.endedAt),
        which === 'unsent'
          ? inArray(invocation.state, ['Pending', 'Delayed'])
          : isAnyOf(invocation.id, which),
        isMadeByUser(runId),
        // The array is computed once instead of per device.
        sql`not exists (select from unnest(array(${scopesToRun(runId).getSQL()})) as held(scope)
          where ${scopeReaches(sql`held.scope`, deviceRecords)})`,
      ),
    )
    .orderBy(asc(invocation.id))
    .limit(LIMIT)
    .for('update', { of: invocation, skipLocked: true });
  return rows.map((row) => ({ ...row, state: 'Pending' }));
}
