import { z } from 'zod';
import { deviceFilterSchema, type PlaceSource } from '../devices/devices.ts';
import { idSchema } from '../ids.ts';
import { countrySchema } from './places.ts';
import type { MapArea } from './map-area.ts';
import type { Timestamp } from '../pages.ts';
import type { Connectivity, DeviceLifecycle } from '../states.ts';

/** From this number of devices in view, results can be estimated from a sample. */
export const SAMPLED_FROM_DEVICES = 8_500;
/** Minimum cell size, regardless of zoom and permissions. */
export const SMALLEST_CELL_DEGREES = 0.1;
/** Maximum number of cells on a map. */
export const MOST_CELLS = 2_000;
/** Minimum zoom at which single devices are shown. */
export const SINGLE_DEVICES_ZOOM = 9;
/** Maximum number of single devices in view; more are shown as cells. */
export const MOST_SINGLE_DEVICES = 300;

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

/** Degrees; west greater than east crosses the antimeridian. */
export const mapAreaSchema = z
  .object({ west: longitude, south: latitude, east: longitude, north: latitude })
  .refine(({ south, north }) => south <= north, { message: 'north of its own north edge' });

export const locationCellsInput = z.object({
  bbox: mapAreaSchema.prefault({ west: -180, south: -90, east: 180, north: 90 }),
  /** Web map zoom level: at 0, the world is 512 pixels wide. */
  zoom: z.number().min(0).max(22).default(1),
  /** As in the device list. Retired devices are excluded unless the filter includes a lifecycle. */
  filter: deviceFilterSchema.prefault({}),
  /**
   * Count all devices, even if that is slow. Otherwise, a slow count is estimated from a sample.
   */
  exact: z.boolean().default(false),
});

/** Devices of one map cell, with the center of their locations, in degrees. */
export interface LocationCell {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly byConnectivity: Readonly<Record<Connectivity, number>>;
  /** Number of devices in countries that are not supported. */
  readonly outside: number;
  /** Country with the most of these devices. */
  readonly country: string | null;
  /** Number of other countries. */
  readonly otherCountries: number;
  /** Value for the list's `area` filter, which then returns these devices. */
  readonly area: MapArea;
}

export interface PlacedDevice {
  readonly id: string;
  readonly serialNumber: string | null;
  readonly name: string;
  readonly connectivity: Connectivity;
  readonly lifecycle: DeviceLifecycle;
  readonly instanceId: string | null;
  readonly platform: string | null;
  readonly lastSeenAt: Timestamp | null;
  readonly at: Timestamp;
  /** Rounded to 0.1 degree without `locations:read-precise`. */
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracyMeters: number;
  readonly source: PlaceSource;
  readonly country: string | null;
  readonly precise: boolean;
  readonly outside: boolean;
}

/** Cells, or single devices if there are few in view at a high zoom. */
export interface LocationCells {
  readonly cells: readonly LocationCell[];
  readonly devices: readonly PlacedDevice[];
  /** Devices in view. */
  readonly total: number;
  readonly cellDegrees: number;
  /**
   * Estimated from a sample of the devices in view. Call again with `exact` for the exact count.
   */
  readonly approximate: boolean;
}

/** Sets a device's location manually. */
export const setPositionInput = z.object({
  deviceId: idSchema,
  latitude,
  longitude,
  accuracyMeters: z.number().min(1).max(1_000_000).default(100),
  /** Null for the device's country. */
  country: countrySchema.nullable().default(null),
});

/** Location history, newest first; returns `DevicePlace` rows. */
export const deviceTrackInput = z.object({
  deviceId: idSchema,
  limit: z.int().min(1).max(1_000).default(200),
});
