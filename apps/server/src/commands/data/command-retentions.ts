import { and, eq, getTableName, inArray, lt, not, notExists, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { portalNow } from '../../platform/columns.ts';
import type { Retention } from '../../platform/retention.ts';
import { isInvocationHeld } from './is-invocation-held.ts';
import {
  commandRun,
  invocation,
  invocationAnswer,
  invocationOutput,
  runAnswer,
  runOutcome,
  runTrend,
  shownTarget,
} from './commands-tables.ts';

const OUTCOME_DAYS = 180;
const TREND_DAYS = 31;
const SHOWN_DAYS = 2;

const build = new QueryBuilder();
const daysAgo = (days: number): SQL => sql`${portalNow} - make_interval(days => ${days})`;

/**
 * @param outputDays retention of output; distinct outputs are kept for as long as the output that they are derived from
 */
export function commandRetentions(outputDays: number): Retention[] {
  const invocations = build
    .select({ id: invocation.id })
    .from(invocation)
    .where(and(lt(invocation.endedAt, daysAgo(outputDays)), not(isInvocationHeld)));
  const heldInvocations = build
    .select({ id: invocation.id })
    .from(invocation)
    .where(and(eq(invocation.runId, commandRun.id), isInvocationHeld));
  const runs = build
    .select({ id: commandRun.id })
    .from(commandRun)
    .where(and(lt(commandRun.endedAt, daysAgo(outputDays)), notExists(heldInvocations)));
  return [
    {
      table: getTableName(invocationOutput),
      ended: inArray(invocationOutput.invocationId, invocations),
    },
    { table: getTableName(runAnswer), ended: inArray(runAnswer.runId, runs) },
    { table: getTableName(invocationAnswer), ended: inArray(invocationAnswer.runId, runs) },
    { table: getTableName(runOutcome), ended: lt(runOutcome.endedAt, daysAgo(OUTCOME_DAYS)) },
    { table: getTableName(runTrend), ended: sql`${runTrend.day} < ${daysAgo(TREND_DAYS)}` },
    { table: getTableName(shownTarget), ended: lt(shownTarget.shownAt, daysAgo(SHOWN_DAYS)) },
  ];
}
