import { and, desc, eq, gt, sql } from 'drizzle-orm';
import { auditEvents } from '../../audit-trail/data/audit-events.ts';
import { deviceConnections } from '../../devices/data/device-connections.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { ConnectionChange } from '../absences.ts';

/** Of each device, the newest; a device that changes more often needs no longer history. */
const CHANGES = 2_000;

export interface OfflineDevice {
  readonly deviceId: string;
  readonly since: Date;
  readonly timeZone: string | null;
}

/** Those of the devices that are active and offline. */
export async function findOfflineDevices(
  on: Executor,
  deviceIds: readonly string[],
): Promise<OfflineDevice[]> {
  const rows = await on
    .select({
      deviceId: deviceRecords.deviceId,
      since: deviceConnections.connectivitySince,
      timeZone: deviceRecords.timeZone,
    })
    .from(deviceRecords)
    .innerJoin(deviceConnections, eq(deviceConnections.deviceId, deviceRecords.deviceId))
    .where(
      and(
        isAnyOf(deviceRecords.deviceId, deviceIds),
        eq(deviceRecords.lifecycle, 'active'),
        eq(deviceConnections.connectivity, 'offline'),
      ),
    );
  return rows.flatMap(({ since, ...device }) => (since === null ? [] : [{ ...device, since }]));
}

/** Connections and disconnections after a moment, oldest first, by device. */
export async function findConnectionChanges(
  on: Executor,
  deviceIds: readonly string[],
  after: Date,
): Promise<Map<string, ConnectionChange[]>> {
  const newest = on
    .select({ at: auditEvents.at, type: auditEvents.type })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.deviceId, deviceRecords.deviceId),
        gt(auditEvents.at, after),
        isAnyOf(auditEvents.type, ['device.connected', 'device.disconnected']),
      ),
    )
    .orderBy(desc(auditEvents.at), desc(auditEvents.eventId))
    .limit(CHANGES)
    .as('newest');
  const rows = await on
    .select({ deviceId: deviceRecords.deviceId, at: newest.at, type: newest.type })
    .from(deviceRecords)
    .innerJoinLateral(newest, sql`true`)
    .where(isAnyOf(deviceRecords.deviceId, deviceIds))
    .orderBy(newest.at);
  const byDevice = Map.groupBy(rows, ({ deviceId }) => deviceId);
  return new Map(
    [...byDevice].map(([deviceId, those]) => [
      deviceId,
      those.map(({ at, type }) => ({
        atMs: at.getTime(),
        isConnected: type === 'device.connected',
      })),
    ]),
  );
}
