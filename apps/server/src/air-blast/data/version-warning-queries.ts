import { and, notExists, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AirBlastWarning } from '@deviceportal/contract/air-blast';
import type { Executor } from '../../platform/database/database.ts';
import { isKnownVersion, isOnVersion } from '../../versions/data/known-versions.ts';
import type { AirBlastRecord } from './air-blast-record.ts';
import { airBlastTarget } from './air-blast-tables.ts';
import { isTargetOf } from './targets/target-conditions.ts';

/** Current warnings about the version of a plan; none for a document. */
export async function selectWarnings(
  on: Executor,
  plan: Pick<AirBlastRecord, 'id' | 'revision' | 'component' | 'version'>,
): Promise<AirBlastWarning[]> {
  const { component, version } = plan;
  if (component === null || version === null) return [];
  const withComponent = new QueryBuilder()
    .select({ deviceId: airBlastTarget.deviceId })
    .from(airBlastTarget)
    .where(and(isTargetOf(plan), isOnVersion(airBlastTarget.deviceId, { component })));
  const [found] = await on
    .select({
      warnings: sql<AirBlastWarning[]>`array_remove(array[
        case when not ${isKnownVersion({ component, version })} then 'version-not-on-record' end,
        case when ${notExists(withComponent)} then 'component-on-no-device' end], null)`,
    })
    .from(sql`(select) as one`);
  return found?.warnings ?? [];
}
