import { and, asc, desc, eq, gt, isNull, lte, max, or, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type {
  CommandThen,
  FindingDeviceHistory,
  DeviceHistory,
} from '@deviceportal/contract/device-history';
import { deviceInvocations, runCommands } from '../../commands/data/device-invocations.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { closedFindings } from '../../findings/data/closed-findings.ts';
import { openFindings } from '../../findings/data/open-findings.ts';
import { devicePlaces } from '../../locations/data/device-places.ts';
import { earlierPlaces } from '../../locations/data/earlier-places.ts';
import type { PlaceRecord } from '../../locations/place-for.ts';
import { packageChanges } from '../../packages/data/package-changes.ts';
import type { Executor } from '../../platform/database/database.ts';
import { installedVersions } from '../../versions/data/installed-versions.ts';
import { versionChanges } from '../../versions/data/version-changes.ts';

/** A device at a moment. */
export interface AtMoment {
  readonly deviceId: string;
  readonly at: Date;
}

export type RecordNow = NonNullable<Awaited<ReturnType<typeof loadRecord>>>;

export async function loadRecord(on: Executor, deviceId: string) {
  const [row] = await on
    .select({
      record: {
        lifecycle: deviceRecords.lifecycle,
        name: deviceRecords.name,
        serialNumber: deviceRecords.serialNumber,
        model: deviceRecords.model,
        hardwareRevision: deviceRecords.hardwareRevision,
        ownerId: deviceRecords.ownerId,
        country: deviceRecords.country,
        timeZone: deviceRecords.timeZone,
        labels: deviceRecords.labels,
      },
      connectivity: deviceConnections.connectivity,
      createdAt: deviceRecords.createdAt,
    })
    .from(deviceRecords)
    .leftJoin(deviceConnections, eq(deviceConnections.deviceId, deviceRecords.deviceId))
    .where(eq(deviceRecords.deviceId, deviceId));
  return row === undefined ? null : { ...row, connectivity: row.connectivity ?? 'never' };
}

export interface SoftwareDeviceHistory {
  readonly component: string;
  readonly earlier: string | null;
  readonly now: string | null;
  readonly changedAt: string | null;
}

export async function loadSoftware(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<SoftwareDeviceHistory[]> {
  const { component, version } = versionChanges;
  const isOfDevice = eq(versionChanges.deviceId, deviceId);
  const earlier = on
    .selectDistinctOn([component], { component, version })
    .from(versionChanges)
    .where(and(isOfDevice, lte(versionChanges.at, at)))
    .orderBy(asc(component), desc(versionChanges.at), desc(versionChanges.id))
    .as('earlier');
  const later = on
    .select({ component, at: max(versionChanges.at).as('changed_at') })
    .from(versionChanges)
    .where(and(isOfDevice, gt(versionChanges.at, at)))
    .groupBy(component)
    .as('later');
  const current = on
    .select({ component: installedVersions.component, version: installedVersions.version })
    .from(installedVersions)
    .where(eq(installedVersions.deviceId, deviceId))
    .as('current');
  const named = sql<string>`coalesce(${current.component}, ${earlier.component})`;
  const rows = await on
    .select({
      component: named,
      earlier: earlier.version,
      now: current.version,
      changedAt: later.at,
    })
    .from(current)
    .fullJoin(earlier, eq(earlier.component, current.component))
    .leftJoin(later, eq(later.component, named))
    .orderBy(named);
  return rows.map((row) => ({ ...row, changedAt: row.changedAt?.toISOString() ?? null }));
}

export interface PlacesDeviceHistory {
  readonly earlier: PlaceRecord | null;
  readonly now: PlaceRecord | null;
}

export async function loadPlaces(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<PlacesDeviceHistory> {
  const [earlier] = await on
    .select()
    .from(earlierPlaces)
    .where(and(eq(earlierPlaces.deviceId, deviceId), lte(earlierPlaces.at, at)))
    .orderBy(desc(earlierPlaces.at))
    .limit(1);
  const [now] = await on.select().from(devicePlaces).where(eq(devicePlaces.deviceId, deviceId));
  return { earlier: toPlace(earlier), now: toPlace(now) };
}

type PlaceRow = Omit<PlaceRecord, 'at'> & { readonly at: Date; readonly deviceId: string };

function toPlace(row: PlaceRow | undefined): PlaceRecord | null {
  if (row === undefined) return null;
  const { deviceId: _, ...place } = row;
  return { ...place, at: place.at.toISOString() };
}

export async function loadFindings(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<FindingDeviceHistory[]> {
  const open = on
    .select({
      rule: openFindings.rule,
      severity: openFindings.severity,
      openedAt: openFindings.openedAt,
      closedAt: sql<Date | null>`null::timestamptz`.mapWith(closedFindings.closedAt),
    })
    .from(openFindings)
    .where(eq(openFindings.deviceId, deviceId));
  const closed = on
    .select({
      rule: closedFindings.rule,
      severity: closedFindings.severity,
      openedAt: closedFindings.openedAt,
      closedAt: sql<Date | null>`${closedFindings.closedAt}`.mapWith(closedFindings.closedAt),
    })
    .from(closedFindings)
    .where(
      and(
        eq(closedFindings.deviceId, deviceId),
        gt(closedFindings.closedAt, at),
        lte(closedFindings.openedAt, at),
      ),
    );
  const rows = await unionAll(open, closed).orderBy(sql`opened_at`, sql`rule`);
  return rows.map((row) => ({
    rule: row.rule,
    severity: row.severity,
    earlier: row.openedAt <= at,
    now: row.closedAt === null,
    openedAt: row.openedAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
  }));
}

/** Limit of the commands before the moment that are checked for being unfinished at it. */
const MAX_CANDIDATES = 200;

export async function loadCommands(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<CommandThen[]> {
  const { queuedAt, invocationId } = deviceInvocations;
  const before = on
    .select()
    .from(deviceInvocations)
    .where(and(eq(deviceInvocations.deviceId, deviceId), lte(queuedAt, at)))
    .orderBy(desc(queuedAt), desc(invocationId))
    .limit(MAX_CANDIDATES)
    .as('before');
  const rows = await on
    .select({
      invocationId: before.invocationId,
      command: runCommands.command,
      state: before.state,
      queuedAt: before.queuedAt,
      endedAt: before.endedAt,
    })
    .from(before)
    .innerJoin(runCommands, eq(runCommands.runId, before.runId))
    .where(or(isNull(before.endedAt), gt(before.endedAt, at)))
    .orderBy(desc(before.queuedAt), desc(before.invocationId));
  return rows.map((row) => ({
    ...row,
    queuedAt: row.queuedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }));
}

const PACKAGES = 100;

export async function loadPackages(
  on: Executor,
  { deviceId, at }: AtMoment,
): Promise<DeviceHistory['packages']> {
  const rows = await on
    .select({
      id: sql<string>`${packageChanges.id}::text`,
      name: packageChanges.name,
      before: packageChanges.before,
      after: packageChanges.after,
      at: packageChanges.at,
    })
    .from(packageChanges)
    .where(and(eq(packageChanges.deviceId, deviceId), gt(packageChanges.at, at)))
    .orderBy(desc(packageChanges.id))
    .limit(PACKAGES + 1);
  return {
    changes: rows.slice(0, PACKAGES).map((row) => ({ ...row, at: row.at.toISOString() })),
    more: rows.length > PACKAGES,
  };
}
