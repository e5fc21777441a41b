import { and, asc, gte, max, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { excluded } from '../../../platform/database/excluded.ts';
import { runOutcome, runTrend } from '../commands-tables.ts';

/**
 * Counts the results of the last recorded day and of the days since, at most of the last `days`. Repeating it counts
 * nothing twice.
 */
export async function insertRunTrend(
  on: Executor,
  { now, days }: { readonly now: Date; readonly days: number },
): Promise<void> {
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz, 'UTC')`;
  const [last] = await on.select({ day: max(runTrend.day) }).from(runTrend);
  // One day earlier, because a run of the last recorded day can end after it was recorded.
  const since = sql`greatest(${today} - make_interval(days => ${days}),
    (${last?.day ?? null}::date - 1)::timestamp at time zone 'UTC')`;
  const counts = on
    .select({
      day: sql`(${runOutcome.endedAt} at time zone 'UTC')::date`.as('trend_day'),
      country: sql`coalesce(${runOutcome.country}, '')`.as('trend_country'),
      model: sql`${runOutcome.model}`.as('trend_model'),
      succeeded: sql`sum(${runOutcome.succeeded})`.as('trend_succeeded'),
      failed: sql`sum(${runOutcome.failed})`.as('trend_failed'),
    })
    .from(runOutcome)
    .where(gte(runOutcome.endedAt, since))
    .groupBy(sql`1`, sql`2`, sql`3`);
  await on
    .insert(runTrend)
    .select(counts.getSQL())
    .onConflictDoUpdate({
      target: [runTrend.day, runTrend.country, runTrend.model],
      set: {
        succeeded: excluded(runTrend.succeeded),
        failed: excluded(runTrend.failed),
      },
    });
}

/** Results per day, oldest first. Days without results have no entry. Counts are not kept by label. */
export async function readRunTrend(
  on: Executor,
  scopes: readonly Scope[],
  { now, days }: { readonly now: Date; readonly days: number },
) {
  const { day, succeeded, failed, country, model } = runTrend;
  return on
    .select({
      day,
      succeeded: sql<number>`sum(${succeeded})::int`,
      failed: sql<number>`sum(${failed})::int`,
    })
    .from(runTrend)
    .where(
      and(
        sql`${day} > (${now.toISOString()}::timestamptz at time zone 'UTC')::date - ${days}::int`,
        deviceScopeCondition(scopes, { country, model, labels: sql`'{}'::jsonb` }),
      ),
    )
    .groupBy(day)
    .orderBy(asc(day));
}
