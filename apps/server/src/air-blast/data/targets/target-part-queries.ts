import { and, asc, eq, isNotNull, isNull, not, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import type { PlanKey } from '../air-blast-record.ts';
import { airBlastTarget } from '../air-blast-tables.ts';
import { countAll } from './outcome-counts.ts';
import { isInState, isReady, isTargetOf } from './target-conditions.ts';

/** Some of the ready devices. */
export type TargetPart =
  | 'all'
  /** No canaries, and not changed successfully: also devices of a canceled wave. */
  | 'remaining'
  | 'never-sent'
  /** In the rollout stage. Canceled invocations are not errors. */
  | 'rollout-errors'
  | 'canary-failed'
  | 'rollout-failed'
  | 'unverified'
  | 'attempted';

const { canary, runId, verified } = airBlastTarget;
const isCanary = eq(canary, true);
const isNoCanary = eq(canary, false);
const isUnsuccessful = not(isInState(['Success']));

const conditionOf: Readonly<Record<TargetPart, SQL | undefined>> = {
  all: undefined,
  remaining: and(isNoCanary, isUnsuccessful),
  'never-sent': and(isNoCanary, isNull(runId)),
  'rollout-errors': and(isNoCanary, isInState(['Failed', 'TimedOut'])),
  'canary-failed': and(isCanary, isUnsuccessful),
  'rollout-failed': and(isNoCanary, isNotNull(runId), isUnsuccessful),
  unverified: sql`${verified} is not true`,
  attempted: isNotNull(runId),
};

const isInPart = (plan: PlanKey, part: TargetPart) =>
  and(isTargetOf(plan), isReady, conditionOf[part]);

export async function countDevices(on: Executor, plan: PlanKey, part: TargetPart): Promise<number> {
  const [found] = await on
    .select({ count: countAll })
    .from(airBlastTarget)
    .where(isInPart(plan, part));
  return found?.count ?? 0;
}

/** In the order of IDs. */
export async function selectDeviceIds(
  on: Executor,
  plan: PlanKey,
  part: TargetPart,
): Promise<string[]> {
  const rows = await on
    .select({ id: airBlastTarget.deviceId })
    .from(airBlastTarget)
    .where(isInPart(plan, part))
    .orderBy(asc(airBlastTarget.deviceId));
  return rows.map(({ id }) => id);
}
