import { and, asc, eq, gt, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { AirBlastTargetGroup, AirBlastTargetRow } from '@deviceportal/contract/air-blast';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { scalar } from '../../../platform/database/scalar.ts';
import { installedVersions } from '../../../versions/data/installed-versions.ts';
import type { AirBlastRecord } from '../air-blast-record.ts';
import { airBlastTarget, airBlastWave } from '../air-blast-tables.ts';
import { isOnTarget, isTargetOf, wouldRunUnchecked } from './target-conditions.ts';

export interface TargetRowQuery {
  readonly run: AirBlastRecord;
  /** Where the viewer can see devices. */
  readonly scopes: readonly Scope[];
  readonly group: AirBlastTargetGroup;
  /** The device ID of the last row of the previous page. */
  readonly after: string | null;
  readonly limit: number;
}

const conditionOf: Readonly<Record<AirBlastTargetGroup, SQL | undefined>> = {
  all: undefined,
  excluded: isNotNull(airBlastTarget.exclusion),
  'no-go': sql`${airBlastTarget.noGo} <> '{}'`,
  canary: eq(airBlastTarget.canary, true),
  failed: and(
    isNotNull(airBlastTarget.runId),
    isNotNull(deviceInvocations.endedAt),
    ne(deviceInvocations.state, 'Success'),
  ),
  unverified: eq(airBlastTarget.verified, false),
  unchecked: wouldRunUnchecked,
};

const wave = new QueryBuilder()
  .select({ value: airBlastWave.wave })
  .from(airBlastWave)
  .where(
    and(
      eq(airBlastWave.airBlastId, airBlastTarget.airBlastId),
      eq(airBlastWave.runId, airBlastTarget.runId),
    ),
  )
  .limit(1);

/** In the order of device IDs. */
export async function selectTargetRows(
  on: Executor,
  { run, scopes, group, after, limit }: TargetRowQuery,
): Promise<AirBlastTargetRow[]> {
  return on
    .select({
      deviceId: airBlastTarget.deviceId,
      name: deviceRecords.name,
      serialNumber: deviceRecords.serialNumber,
      model: deviceRecords.model,
      country: deviceRecords.country,
      exclusion: sql<AirBlastTargetRow['exclusion']>`${airBlastTarget.exclusion}`,
      noGo: sql<AirBlastTargetRow['noGo']>`coalesce(${airBlastTarget.noGo}, '{}')`,
      canary: airBlastTarget.canary,
      verified: airBlastTarget.verified,
      runId: airBlastTarget.runId,
      invocationId: deviceInvocations.invocationId,
      invocationState: deviceInvocations.state,
      statusDetails: deviceInvocations.statusDetails,
      responseCode: deviceInvocations.responseCode,
      reportedVersion: installedVersions.version,
      wave: scalar(wave),
    })
    .from(airBlastTarget)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, airBlastTarget.deviceId))
    .leftJoin(deviceInvocations, isOnTarget)
    .leftJoin(
      installedVersions,
      and(
        eq(installedVersions.deviceId, airBlastTarget.deviceId),
        sql`${installedVersions.component} = ${run.component}`,
      ),
    )
    .where(
      and(
        isTargetOf(run),
        conditionOf[group],
        after === null ? undefined : gt(airBlastTarget.deviceId, after),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .orderBy(asc(airBlastTarget.deviceId))
    .limit(limit);
}
