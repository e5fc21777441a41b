import type { DeviceInstance, SoftwareComponent } from '@deviceportal/contract/devices';
import type { PlaceRecord } from '../locations/place-for.ts';
import type { Executor } from '../platform/database/database.ts';
import { selectDeviceFacts } from './data/device-facts-queries.ts';
import { isoMoment, requiredIsoMoment } from './list/moment-text.ts';

/** Result of the last command on a device. */
export interface LastInvocation {
  readonly id: string;
  readonly command: string;
  readonly state: string;
  readonly statusDetails: string;
  readonly responseCode: number | null;
  readonly endedAt: string | null;
}

export interface DeviceFacts {
  readonly timeZone: string | null;
  readonly updatedAt: string;
  readonly instances: readonly DeviceInstance[];
  readonly software: readonly SoftwareComponent[];
  readonly inventory: Readonly<Record<string, unknown>> | null;
  readonly inventoryAt: string | null;
  readonly diskUsedPercent: number | null;
  readonly memoryUsedPercent: number | null;
  readonly uptimeSeconds: number | null;
  readonly place: PlaceRecord | null;
  readonly lastInvocation: LastInvocation | null;
}

/** Data of a device's screen in addition to its row. Instances are sorted newest first. */
export async function loadDeviceFacts(on: Executor, deviceId: string): Promise<DeviceFacts> {
  const row = await selectDeviceFacts(on, deviceId);
  if (row === undefined) throw new Error('device was deleted concurrently');
  const { instances, software, place, lastInvocation } = row;
  return {
    ...row,
    updatedAt: row.updatedAt.toISOString(),
    instances: (instances ?? []).map((instance) => ({
      ...instance,
      enrolledAt: requiredIsoMoment(instance.enrolledAt),
      lastPingAt: isoMoment(instance.lastPingAt),
      certificateEndsAt: requiredIsoMoment(instance.certificateEndsAt),
    })),
    software: (software ?? []).map((item) => ({
      ...item,
      since: requiredIsoMoment(item.since),
      reportedAt: requiredIsoMoment(item.reportedAt),
    })),
    inventoryAt: isoMoment(row.inventoryAt),
    place: place === null ? null : { ...place, at: requiredIsoMoment(place.at) },
    lastInvocation:
      lastInvocation === null
        ? null
        : { ...lastInvocation, endedAt: isoMoment(lastInvocation.endedAt) },
  };
}
