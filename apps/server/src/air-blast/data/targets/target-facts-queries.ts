import { and, eq, isNull, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { Scope } from '@deviceportal/contract/permissions';
import { deviceInvocations } from '../../../commands/data/device-invocations.ts';
import { otherOpenRun } from '../../../commands/data/other-open-run.ts';
import { deviceConnections } from '../../../devices/data/device-connections.ts';
import { deviceRecords } from '../../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../../devices/data/device-scope-condition.ts';
import { deviceStanding } from '../../../devices/data/device-standing.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { scalar } from '../../../platform/database/scalar.ts';
import { installedVersions } from '../../../versions/data/installed-versions.ts';
import type { AirBlastRecord } from '../air-blast-record.ts';
import { airBlastTarget, airBlastWave } from '../air-blast-tables.ts';
import { isOnTarget, isTargetOf } from './target-conditions.ts';

const { deviceId, runId } = airBlastTarget;

/** The first wave of the running step with a target that has not opened; null without one. */
const nextWave = ({ step, attempt }: AirBlastRecord) =>
  scalar(
    new QueryBuilder()
      .select({ value: sql<number | null>`min(${airBlastWave.wave})` })
      .from(airBlastWave)
      .where(
        and(
          eq(airBlastWave.airBlastId, airBlastTarget.airBlastId),
          eq(airBlastWave.revision, airBlastTarget.revision),
          eq(airBlastWave.step, step),
          eq(airBlastWave.attempt, attempt),
          isNull(airBlastWave.openedAt),
          sql`${deviceId} = any(${airBlastWave.deviceIds})`,
        ),
      ),
  );

/** Facts about one device of a rollout; undefined if it is not one of its targets in scope. */
export async function findTarget(
  on: Executor,
  run: AirBlastRecord,
  target: { readonly deviceId: string; readonly scopes: readonly Scope[] },
) {
  const [found] = await on
    .select({
      exclusion: airBlastTarget.exclusion,
      noGo: sql<string[]>`coalesce(${airBlastTarget.noGo}, '{}')`,
      verified: airBlastTarget.verified,
      invocationId: deviceInvocations.invocationId,
      reportedVersion: installedVersions.version,
      waitsForWave: nextWave(run),
      /** Another open run on the device. */
      otherRun: otherOpenRun(deviceId, runId),
      ...deviceStanding,
      instanceId: deviceConnections.instanceId,
      platform: deviceConnections.platform,
      diskUsedPercent: deviceConnections.diskUsedPercent,
    })
    .from(airBlastTarget)
    .innerJoin(deviceRecords, eq(deviceRecords.deviceId, deviceId))
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceId))
    .leftJoin(deviceInvocations, isOnTarget)
    .leftJoin(
      installedVersions,
      and(
        eq(installedVersions.deviceId, deviceId),
        sql`${installedVersions.component} = ${run.component}`,
      ),
    )
    .where(
      and(
        isTargetOf(run),
        eq(deviceId, target.deviceId),
        deviceScopeCondition(target.scopes, deviceRecords),
      ),
    );
  return found;
}
