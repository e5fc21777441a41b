import {
  and,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  notInArray,
  sql,
  type SQL,
} from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { NoGoReason } from '@deviceportal/contract/air-blast';
import { hasOpenChange } from '../../../commands/data/has-open-change.ts';
import { currentInstances } from '../../../devices/data/current-instances.ts';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import type { Transaction } from '../../../platform/database/database.ts';
import type { PlanKey } from '../air-blast-record.ts';
import { airBlast, airBlastTarget } from '../air-blast-tables.ts';
import { isTargetOf } from './target-conditions.ts';

export interface PreflightRules extends PlanKey {
  readonly platforms: readonly string[];
  /** Empty does not limit. */
  readonly models: readonly string[];
  /** Empty does not limit. */
  readonly countries: readonly string[];
  readonly waitForOffline: boolean;
  readonly maxDiskUsedPercent: number;
}

/** Sets the blockers of all targets of a plan, and removes the choice of canaries. */
export async function checkTargets(tx: Transaction, rules: PreflightRules): Promise<void> {
  const blockers = Object.entries(blockersOf(rules)).map(
    ([reason, applies]) => sql`case when ${applies} then ${reason}::text end`,
  );
  await tx
    .update(airBlastTarget)
    .set({
      canary: false,
      noGo: sql`array_remove(array[${sql.join(blockers, sql`, `)}], null)`,
    })
    .from(deviceRecords)
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceRecords.deviceId))
    .leftJoin(currentInstances, eq(currentInstances.deviceId, deviceRecords.deviceId))
    .where(
      and(
        eq(deviceRecords.deviceId, airBlastTarget.deviceId),
        isTargetOf(rules),
        isNull(airBlastTarget.exclusion),
      ),
    );
}

type Blockers = Readonly<Record<Exclude<NoGoReason, 'left-out'>, SQL | undefined>>;

function blockersOf(rules: PreflightRules): Blockers {
  const { lifecycle, model, country } = deviceRecords;
  const { connectivity, diskUsedPercent } = deviceConnections;
  const { instanceId, platformType } = currentInstances;
  const isListed = (value: SQL, values: readonly string[]) =>
    sql`${value} = any(${sql.param([...values])}::text[])`;
  const isLimited = (values: readonly string[]) => sql`${values.length > 0}::boolean`;
  return {
    lifecycle: ne(lifecycle, 'active'),
    offline: sql`not ${rules.waitForOffline}::boolean
      and coalesce(${connectivity}, 'never') not in ('online', 'degraded')`,
    platform: sql`${instanceId} is null or not ${isListed(sql`${platformType}`, rules.platforms)}`,
    model: sql`${isLimited(rules.models)} and not ${isListed(sql`coalesce(${model}, '')`, rules.models)}`,
    country: and(
      isLimited(rules.countries),
      isNotNull(country),
      sql`not ${isListed(sql`${country}`, rules.countries)}`,
    ),
    'conflicting-run': hasOpenChange(airBlastTarget.deviceId),
    'conflicting-air-blast': isInOtherRollout(rules.id),
    'disk-full': gt(diskUsedPercent, rules.maxDiskUsedPercent),
  };
}

/** Whether another rollout that changes devices now has a target without blockers. */
function isInOtherRollout(id: string): SQL {
  const other = alias(airBlast, 'other');
  const otherTarget = alias(airBlastTarget, 'other_target');
  return exists(
    new QueryBuilder()
      .select({ id: other.id })
      .from(otherTarget)
      .innerJoin(
        other,
        and(eq(other.id, otherTarget.airBlastId), eq(other.revision, otherTarget.revision)),
      )
      .where(
        and(
          eq(otherTarget.deviceId, airBlastTarget.deviceId),
          isNull(otherTarget.exclusion),
          sql`${otherTarget.noGo} = '{}'`,
          ne(other.id, id),
          inArray(other.step, ['canary', 'blast', 'verify']),
          notInArray(other.state, ['done', 'aborted']),
        ),
      ),
  );
}
