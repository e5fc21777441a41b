import { and, asc, eq, gt, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { alias, QueryBuilder } from 'drizzle-orm/pg-core';
import type { AirBlastTargetGroup, AirBlastTargetRow } from '@deviceportal/contract/air-blast';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceInvocations } from '../../commands/data/device-invocations.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { scalar } from '../../platform/database/scalar.ts';
import { installedVersions } from '../../versions/data/installed-versions.ts';
import type { AirBlastRecord } from '../air-blast-store.ts';
import { wouldRunUnchecked } from '../plan/target-set-store.ts';
import { airBlastTarget, airBlastWave } from './air-blast-tables.ts';

export interface TargetRowQuery {
  readonly run: AirBlastRecord;
  /** Where devices may be read. */
  readonly scopes: readonly Scope[];
  readonly group: AirBlastTargetGroup;
  /** The device id of the last row before. */
  readonly after: string | null;
  readonly limit: number;
}

/** By the name that `wouldRunUnchecked` has for it. */
const t = alias(airBlastTarget, 't');

const conditionOf: Readonly<Record<AirBlastTargetGroup, SQL | undefined>> = {
  all: undefined,
  excluded: isNotNull(t.exclusion),
  'no-go': sql`${t.noGo} <> '{}'`,
  canary: eq(t.canary, true),
  failed: and(
    isNotNull(t.runId),
    isNotNull(deviceInvocations.endedAt),
    ne(deviceInvocations.state, 'Success'),
  ),
  unverified: eq(t.verified, false),
  unchecked: wouldRunUnchecked,
};

const stage = new QueryBuilder()
  .select({ value: airBlastWave.wave })
  .from(airBlastWave)
  .where(and(eq(airBlastWave.airBlastId, t.airBlastId), eq(airBlastWave.runId, t.runId)))
  .limit(1);

/** In the order of device ids. */
export async function selectTargetRows(
  on: Executor,
  { run, scopes, group, after, limit }: TargetRowQuery,
): Promise<AirBlastTargetRow[]> {
  return on
    .select({
      deviceId: t.deviceId,
      name: deviceRecords.name,
      serialNumber: deviceRecords.serialNumber,
      model: deviceRecords.model,
      country: deviceRecords.country,
      exclusion: sql<AirBlastTargetRow['exclusion']>`${t.exclusion}`,
      noGo: sql<AirBlastTargetRow['noGo']>`coalesce(${t.noGo}, '{}')`,
      canary: t.canary,
      verified: t.verified,
      runId: t.runId,
      invocationId: deviceInvocations.invocationId,
      invocationState: deviceInvocations.state,
      statusDetails: deviceInvocations.statusDetails,
      responseCode: deviceInvocations.responseCode,
      reportedVersion: installedVersions.version,
      wave: scalar(stage),
    })
    .from(t)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, t.deviceId))
    .leftJoin(
      deviceInvocations,
      and(eq(deviceInvocations.runId, t.runId), eq(deviceInvocations.deviceId, t.deviceId)),
    )
    .leftJoin(
      installedVersions,
      and(
        eq(installedVersions.deviceId, t.deviceId),
        sql`${installedVersions.component} = ${run.component}`,
      ),
    )
    .where(
      and(
        eq(t.airBlastId, run.id),
        eq(t.revision, run.revision),
        conditionOf[group],
        after === null ? undefined : gt(t.deviceId, after),
        deviceScopeCondition(scopes, deviceRecords),
      ),
    )
    .orderBy(asc(t.deviceId))
    .limit(limit);
}
