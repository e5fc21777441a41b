import type { DevicePlace } from '@deviceportal/contract/devices';

/** Without `locations:read-precise`, a location is rounded to 0.1 degree, about 11 km. */
const ROUNDED_ACCURACY_METERS = 11_000;

export interface PlaceRecord {
  readonly at: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number;
  readonly source: DevicePlace['source'];
  readonly country: string | null;
}

export function placeFor(record: PlaceRecord, precise: boolean): DevicePlace {
  if (precise) return { ...record, precise };
  return {
    ...record,
    latitude: Math.round(record.latitude * 10) / 10,
    longitude: Math.round(record.longitude * 10) / 10,
    accuracyMeters: Math.max(record.accuracyMeters, ROUNDED_ACCURACY_METERS),
    precise,
  };
}
