import { and, eq, gt, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import { isEverywhere } from '../../devices/is-everywhere.ts';
import { portalNow } from '../../platform/columns.ts';
import { jsonArray } from '../../platform/database/json-rows.ts';
import { commandDefinition, commandRun, runOutcome } from './commands-tables.ts';

/** The success rate is that of invocations that ended in this number of days. */
const SUCCESS_RATE_DAYS = 30;

const build = new QueryBuilder();

/** Catalog entries with a document, in order. */
export const commandsOfDocument = (documentName: SQLWrapper): SQL<string[]> =>
  sql<string[]>`(${build
    .select({
      commands: jsonArray(commandDefinition.command, { orderBy: commandDefinition.position }),
    })
    .from(commandDefinition)
    .where(eq(commandDefinition.documentName, documentName))})`;

/** Use of a document within the scopes, for lateral joins: one row. */
export const documentUse = (scopes: readonly Scope[], documentName: SQLWrapper) =>
  scopes.some(isEverywhere) ? usedAnywhere(documentName) : usedWithin(scopes, documentName);

const recently = (at: SQLWrapper): SQL =>
  gt(at, sql`${portalNow} - make_interval(days => ${SUCCESS_RATE_DAYS})`);

/** From the counters of runs. */
function usedAnywhere(documentName: SQLWrapper) {
  const { successCount, failedCount, timedOutCount, cancelledCount } = commandRun;
  const last = alias(commandRun, 'last_run');
  const lastUsedAt = build
    .select({ at: sql`max(${last.createdAt})` })
    .from(last)
    .where(eq(last.documentName, documentName));
  return build
    .select({
      successRate: sql<number | null>`sum(${successCount})::float8
        / nullif(sum(${successCount} + ${failedCount} + ${timedOutCount} + ${cancelledCount}), 0)`.as(
        'success_rate',
      ),
      lastUsedAt: sql<Date | null>`(${lastUsedAt})`
        .mapWith(commandRun.createdAt)
        .as('last_used_at'),
    })
    .from(commandRun)
    .where(and(eq(commandRun.documentName, documentName), recently(commandRun.createdAt)))
    .as('used');
}

/** From the outcomes of ended runs. */
function usedWithin(scopes: readonly Scope[], documentName: SQLWrapper) {
  const { succeeded, failed, endedAt } = runOutcome;
  const isRecent = recently(endedAt);
  return build
    .select({
      successRate: sql<number | null>`sum(${succeeded}) filter (where ${isRecent})::float8
        / nullif(sum(${succeeded} + ${failed}) filter (where ${isRecent}), 0)`.as('success_rate'),
      lastUsedAt: sql<Date | null>`max(${commandRun.createdAt})`
        .mapWith(commandRun.createdAt)
        .as('last_used_at'),
    })
    .from(runOutcome)
    .innerJoin(commandRun, eq(commandRun.id, runOutcome.runId))
    .where(and(eq(runOutcome.documentName, documentName), deviceScopeCondition(scopes, runOutcome)))
    .as('used');
}
