import {
  and,
  asc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { activeUsers } from '../../../access/data/active-users.ts';
import {
  contains,
  currentGrantsAs,
  permanentGrantsAs,
} from '../../../access/data/current-grants.ts';
import { userNames } from '../../../access/data/user-names.ts';
import { personalTokenGrants } from '../../../api-tokens/data/personal-token-grants.ts';
import {
  serviceTokenGrants,
  serviceTokens,
} from '../../../api-tokens/data/service-token-grants.ts';
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
const lasting = permanentGrantsAs('lasting');
const tokenHolder = permanentGrantsAs('token_holder');

/**
 * Pairs of scopes in which the creator of a run can currently run it: devices must be in both. Empty unless the account
 * and the token by which it was created are active.
 */
const scopesToRun = (runId: string) => {
  const byUser = build
    .select({ scopes: bothOf(held.scope, held.scope) })
    .from(commandRun)
    .innerJoin(activeUsers, eq(activeUsers.userId, commandRun.createdById))
    .innerJoin(held, eq(held.userId, commandRun.createdById))
    .leftJoin(commandDefinition, eq(commandDefinition.command, commandRun.command))
    .where(
      and(eq(commandRun.id, runId), isNull(commandRun.apiTokenId), allowsRun(held.permissions)),
    );
  const byPersonalToken = build
    .select({ scopes: bothOf(lasting.scope, personalTokenGrants.scope) })
    .from(commandRun)
    .innerJoin(activeUsers, eq(activeUsers.userId, commandRun.createdById))
    .innerJoin(personalTokenGrants, eq(personalTokenGrants.tokenId, commandRun.apiTokenId))
    .innerJoin(lasting, eq(lasting.userId, commandRun.createdById))
    .leftJoin(commandDefinition, eq(commandDefinition.command, commandRun.command))
    .where(
      and(
        eq(commandRun.id, runId),
        allowsRun(lasting.permissions, personalTokenGrants.permissions),
        exists(
          build
            .select({ userId: tokenHolder.userId })
            .from(tokenHolder)
            .where(
              and(
                eq(tokenHolder.userId, commandRun.createdById),
                contains(tokenHolder.permissions, 'api-tokens:create'),
              ),
            ),
        ),
      ),
    );
  const byServiceToken = build
    .select({ scopes: bothOf(serviceTokenGrants.scope, serviceTokenGrants.scopeAtCreation) })
    .from(commandRun)
    .innerJoin(serviceTokenGrants, eq(serviceTokenGrants.tokenId, commandRun.createdById))
    .leftJoin(commandDefinition, eq(commandDefinition.command, commandRun.command))
    .where(
      and(
        eq(commandRun.id, runId),
        allowsRun(serviceTokenGrants.permissions, serviceTokenGrants.permissionsAtCreation),
      ),
    );
  return byUser.unionAll(byPersonalToken).unionAll(byServiceToken);
};

const bothOf = (one: SQLWrapper, other: SQLWrapper) =>
  sql<readonly [Scope, Scope]>`jsonb_build_array(${one}, ${other})`.as('scopes');

/** Whether one permission for the run is in all of the jsonb arrays. */
const allowsRun = (...all: readonly SQLWrapper[]): SQL => {
  const inAll = (permission: SQL) => and(...all.map((each) => sql`${each} ? ${permission}`));
  return or(
    inAll(sql`('commands:run:@' || ${commandRun.consequence})`),
    and(
      eq(commandDefinition.documentName, commandRun.documentName),
      inAll(sql`('commands:run:' || ${commandRun.command})`),
    ),
  ) as SQL;
};

/** Not made by the server itself. */
const isMadeByOthers = (runId: string): SQL =>
  exists(
    build
      .select({ id: commandRun.id })
      .from(commandRun)
      .leftJoin(userNames, eq(userNames.userId, commandRun.createdById))
      .leftJoin(serviceTokens, eq(serviceTokens.tokenId, commandRun.createdById))
      .where(
        and(
          eq(commandRun.id, runId),
          or(isNotNull(userNames.userId), isNotNull(serviceTokens.tokenId)),
        ),
      ),
  );

/**
 * Invocations of a run that its creator is no longer permitted to send: the account, or the token by which the run was
 * created, is not active, or none of their current roles allows the command on that device. Temporary roles do not apply
 * to tokens. One statement for all invocations, which are locked. Runs created by the system are not checked.
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
        isMadeByOthers(runId),
        // The array is computed once instead of per device.
        sql`not exists (select from unnest(array(${scopesToRun(runId).getSQL()})) as held(scopes)
          where ${scopeReaches(sql`(held.scopes->0)`, deviceRecords)}
            and ${scopeReaches(sql`(held.scopes->1)`, deviceRecords)})`,
      ),
    )
    .orderBy(asc(invocation.id))
    .limit(LIMIT)
    .for('update', { of: invocation, skipLocked: true });
  return rows.map((row) => ({ ...row, state: 'Pending' }));
}
