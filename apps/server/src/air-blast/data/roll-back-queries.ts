import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { jsonArray } from '../../platform/database/json-rows.ts';
import { isOnVersion, versionBefore } from '../../versions/data/known-versions.ts';
import type { AirBlastRecord } from './air-blast-record.ts';
import { airBlastTarget } from './air-blast-tables.ts';
import { isTargetOf } from './targets/target-conditions.ts';

/** Earlier versions to which one rollout can be rolled back. */
const MAX_VERSIONS = 10;

/**
 * The devices in scope that received the change, by the version that they ran before; null for a document. Devices
 * that no longer run the version of the rollout are omitted.
 */
export async function selectChangedDevices(
  on: Executor,
  run: Pick<AirBlastRecord, 'id' | 'revision' | 'component' | 'version'>,
  scopes: readonly Scope[],
) {
  const { deviceId, serialNumber } = deviceRecords;
  const { component, version } = run;
  const intent = component === null || version === null ? null : { component, version };
  const changed = on.$with('changed').as(
    on
      .select({
        serialNumber: sql<string>`${serialNumber}`.as('changed_serial'),
        version: (intent === null
          ? sql<string | null>`null::text`
          : versionBefore(deviceId, intent)
        ).as('version_before'),
      })
      .from(airBlastTarget)
      .innerJoin(deviceRecords, eq(deviceId, airBlastTarget.deviceId))
      .where(
        and(
          isTargetOf(run),
          isNotNull(airBlastTarget.runId),
          isNotNull(serialNumber),
          intent === null ? undefined : isOnVersion(deviceId, intent),
          deviceScopeCondition(scopes, deviceRecords),
        ),
      ),
  );
  return on
    .with(changed)
    .select({
      version: changed.version,
      serialNumbers: jsonArray(changed.serialNumber, { orderBy: changed.serialNumber }),
    })
    .from(changed)
    .where(intent === null ? undefined : isNotNull(changed.version))
    .groupBy(changed.version)
    .orderBy(desc(sql`count(*)`), asc(changed.version))
    .limit(MAX_VERSIONS);
}
