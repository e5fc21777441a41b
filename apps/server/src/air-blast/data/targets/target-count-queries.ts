import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AirBlastReport, ReasonCount } from '@deviceportal/contract/air-blast';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { isAnyOf } from '../../../platform/database/is-any-of.ts';
import { jsonArray, jsonObject } from '../../../platform/database/json-rows.ts';
import type { PlanKey } from '../air-blast-record.ts';
import { airBlastTarget } from '../air-blast-tables.ts';
import { countAll, countWhere, outcomeCounts } from './outcome-counts.ts';
import {
  isOnTarget,
  isReady,
  isTargetOf,
  isUnblocked,
  wouldRunUnchecked,
} from './target-conditions.ts';

const build = new QueryBuilder();
const { deviceId, exclusion, noGo, canary, verified } = airBlastTarget;

/** Counts of exclusions and blockers by reason, and of ready devices. */
export async function countReasons(on: Executor, plan: PlanKey) {
  const excluded = build
    .select({ reason: sql<string>`${exclusion}`.as('reason') })
    .from(airBlastTarget)
    .where(and(isTargetOf(plan), isNotNull(exclusion)))
    .as('reasons');
  const blocked = build
    .select({ reason: sql<string>`unnest(${noGo})`.as('reason') })
    .from(airBlastTarget)
    .where(isTargetOf(plan))
    .as('reasons');
  const listOf = (reasons: typeof excluded) => {
    const counted = build
      .select({ reason: reasons.reason, count: countAll.as('devices') })
      .from(reasons)
      .groupBy(reasons.reason)
      .as('counted');
    const { reason, count } = counted;
    return sql<ReasonCount[]>`${build
      .select({ value: jsonArray(jsonObject({ reason, count }), { orderBy: desc(count) }) })
      .from(counted)}`;
  };
  const ready = build
    .select({ count: countAll })
    .from(airBlastTarget)
    .where(and(isTargetOf(plan), isReady));
  const [found] = await on
    .select({ excluded: listOf(excluded), noGo: listOf(blocked), go: sql<number>`${ready}` })
    .from(sql`(select) as one`);
  if (found === undefined) throw new Error('a count without rows');
  return found;
}

export async function countUnchecked(on: Executor, plan: PlanKey): Promise<number> {
  const [found] = await on
    .select({ count: countAll })
    .from(airBlastTarget)
    .where(and(isTargetOf(plan), wouldRunUnchecked));
  return found?.count ?? 0;
}

/** Results of the last invocation of each of these devices. */
export async function countOutcomes(
  on: Executor,
  plan: PlanKey,
  deviceIds: readonly string[] | 'canaries',
) {
  const { success, errors } = outcomeCounts;
  const [found] = await on
    .select({ total: countAll, success, errors })
    .from(airBlastTarget)
    .leftJoin(deviceInvocations, isOnTarget)
    .where(
      and(
        isTargetOf(plan),
        deviceIds === 'canaries' ? eq(canary, true) : isAnyOf(deviceId, deviceIds),
      ),
    );
  if (found === undefined) throw new Error('a count without rows');
  return found;
}

/** Results of all targets of a plan, compared with its target state. */
export async function countReport(on: Executor, plan: PlanKey): Promise<AirBlastReport> {
  const { state } = deviceInvocations;
  const isOpen = and(isUnblocked, isNull(verified));
  const isLeftOut = sql`'left-out' = any(${noGo})`;
  const [report] = await on
    .select({
      asIntended: countWhere(eq(verified, true)),
      different: countWhere(eq(verified, false)),
      notVerified: countWhere(and(isOpen, eq(state, 'Success'))),
      failed: countWhere(and(isOpen, inArray(state, ['Failed', 'TimedOut']))),
      notChanged: countWhere(
        and(isOpen, sql`coalesce(${state}, '') not in ('Success', 'Failed', 'TimedOut')`),
      ),
      excluded: countWhere(isNotNull(exclusion)),
      leftOut: countWhere(isLeftOut),
      noGo: countWhere(and(isNull(exclusion), sql`${noGo} <> '{}' and not ${isLeftOut}`)),
    })
    .from(airBlastTarget)
    .leftJoin(deviceInvocations, isOnTarget)
    .where(isTargetOf(plan));
  if (report === undefined) throw new Error('a count without rows');
  return report;
}
