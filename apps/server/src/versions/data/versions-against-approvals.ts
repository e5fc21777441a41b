import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { scopesOf } from '@deviceportal/contract/permissions';
import { openInvocations } from '../../commands/data/device-invocations.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { deviceScopeCondition } from '../../devices/data/device-scope-condition.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { nearestApproval } from './nearest-approval.ts';
import { deviceVersion, softwareVersion, versionCell } from './versions-tables.ts';

const model = sql<string>`coalesce(${deviceRecords.model}, '')`;
const country = sql<string>`coalesce(${deviceRecords.country}, '')`;
const approval = nearestApproval({ component: deviceVersion.component, model, country });
const isOfDevice = eq(deviceVersion.deviceId, deviceRecords.deviceId);
const isCell = and(
  eq(versionCell.component, deviceVersion.component),
  eq(versionCell.version, deviceVersion.version),
  eq(versionCell.model, model),
  eq(versionCell.country, country),
);

/** Current versions of devices within the viewer's scope, each compared with its approved version. */
export async function readVersionsOfDevices(
  on: Executor,
  viewer: Viewer,
  { deviceIds, limit }: { readonly deviceIds: readonly string[]; readonly limit: number },
) {
  return on
    .select({
      deviceId: deviceVersion.deviceId,
      component: deviceVersion.component,
      version: deviceVersion.version,
      since: deviceVersion.since,
      state: versionCell.state,
      approved: approval.version,
      mandatoryFrom: approval.mandatoryFrom,
    })
    .from(deviceRecords)
    .innerJoin(deviceVersion, isOfDevice)
    .leftJoin(versionCell, isCell)
    .leftJoinLateral(approval, sql`true`)
    .where(
      and(
        isAnyOf(deviceRecords.deviceId, deviceIds),
        deviceScopeCondition(scopesOf(viewer.grants, ['versions:read']), deviceRecords),
      ),
    )
    .orderBy(
      asc(deviceRecords.serialRank),
      asc(deviceRecords.deviceId),
      asc(deviceVersion.component),
    )
    .limit(limit);
}

/** Versions of these devices that are older than the approved one, or blocked. */
export async function readOutdated(on: Executor, deviceIds: readonly string[]) {
  return on
    .select({
      deviceId: deviceVersion.deviceId,
      component: deviceVersion.component,
      version: deviceVersion.version,
      state: versionCell.state,
      approved: approval.version,
      approvedAt: approval.approvedAt,
      mandatoryFrom: approval.mandatoryFrom,
    })
    .from(deviceRecords)
    .innerJoin(deviceVersion, isOfDevice)
    .innerJoin(versionCell, isCell)
    .leftJoinLateral(approval, sql`true`)
    .where(
      and(
        isAnyOf(deviceRecords.deviceId, deviceIds),
        inArray(versionCell.state, ['behind', 'blocked']),
      ),
    )
    .orderBy(asc(deviceVersion.component));
}

/** The components of a device in service that are not on their approved version, with the data that explains why. */
export async function readVersionFacts(on: Executor, deviceId: string) {
  return on
    .select({
      component: deviceVersion.component,
      installed: deviceVersion.version,
      since: deviceVersion.since,
      reportedAt: deviceVersion.reportedAt,
      state: versionCell.state,
      approved: approval.version,
      approvedAt: approval.approvedAt,
      mandatoryFrom: approval.mandatoryFrom,
      artifactSha256: softwareVersion.artifactSha256,
      deviceId: deviceRecords.deviceId,
      deviceName: sql<string>`coalesce(${deviceRecords.serialNumber}, ${deviceRecords.name})`,
      model: deviceRecords.model,
      country: deviceRecords.country,
      labels: deviceRecords.labels,
      lifecycle: deviceRecords.lifecycle,
      connectivity: deviceConnections.connectivity,
      connectivitySince: deviceConnections.connectivitySince,
      disconnectReason: deviceConnections.disconnectReason,
      instanceId: deviceConnections.instanceId,
      waiting: openInvocations(deviceRecords.deviceId),
    })
    .from(deviceRecords)
    .innerJoin(deviceVersion, isOfDevice)
    .innerJoin(versionCell, isCell)
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceRecords.deviceId))
    .leftJoinLateral(approval, sql`true`)
    .leftJoin(
      softwareVersion,
      and(
        eq(softwareVersion.component, deviceVersion.component),
        eq(softwareVersion.version, approval.version),
      ),
    )
    .where(
      and(
        eq(deviceRecords.deviceId, deviceId),
        ne(versionCell.state, 'current'),
        ne(deviceRecords.lifecycle, 'retired'),
      ),
    )
    .orderBy(asc(deviceVersion.component));
}
