import { z } from 'zod';
import { deviceFilterSchema, type PlaceSource } from '../devices/devices.ts';
import { idSchema } from '../ids.ts';
import { countrySchema } from './places.ts';
import type { MapArea } from './map-area.ts';
import type { Timestamp } from '../pages.ts';
import type { Connectivity, DeviceLifecycle } from '../states.ts';

/** An answer may be reckoned from a sample where this many devices or more are in view. */
export const SAMPLED_FROM_DEVICES = 8_500;
/** No cell is smaller, whatever the zoom and whoever asks. */
export const SMALLEST_CELL_DEGREES = 0.1;
/** A map shows at most so many cells at a time. */
export const MOST_CELLS = 2_000;
/** From this zoom on few devices are shown one by one. */
export const SINGLE_DEVICES_ZOOM = 9;
/** More devices than this in view stay cells. */
export const MOST_SINGLE_DEVICES = 300;

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

/** Degrees; west greater than east crosses the antimeridian. */
export const mapAreaSchema = z
  .object({ west: longitude, south: latitude, east: longitude, north: latitude })
  .refine(({ south, north }) => south <= north, { message: 'north of its own north edge' });

export const locationCellsInput = z.object({
  bbox: mapAreaSchema.prefault({ west: -180, south: -90, east: 180, north: 90 }),
  /** Of a web map: the world is 512 pixels wide at 0. */
  zoom: z.number().min(0).max(22).default(1),
  /** As in the list of devices. Retired devices are on no map, unless the filter speaks of a lifecycle. */
  filter: deviceFilterSchema.prefault({}),
  /** Count every device, however long that takes; else an answer that would take long is reckoned from a sample. */
  exact: z.boolean().default(false),
});

/** Devices of one cell of the map; the centre of where they are, in degrees. */
export interface LocationCell {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly byConnectivity: Readonly<Record<Connectivity, number>>;
  /** Of them, how many are in a country that is not supported. */
  readonly outside: number;
  /** Where most of them are. */
  readonly country: string | null;
  /** In how many other countries the rest is. */
  readonly otherCountries: number;
  /** As the list's filter `area` takes it: the list then holds these devices. */
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

/** Either cells, or single devices where few are in view at a high zoom. */
export interface LocationCells {
  readonly cells: readonly LocationCell[];
  readonly devices: readonly PlacedDevice[];
  /** Devices in view. */
  readonly total: number;
  readonly cellDegrees: number;
  /** Reckoned from a sample of the devices in view: ask once more for the `exact` answer. */
  readonly approximate: boolean;
}

/** A position that a person knows better than the device. */
export const setPositionInput = z.object({
  deviceId: idSchema,
  latitude,
  longitude,
  accuracyMeters: z.number().min(1).max(1_000_000).default(100),
  /** Null: the device's own country. */
  country: countrySchema.nullable().default(null),
});

/** Where a device was, newest first; answers `DevicePlace` rows. */
export const deviceTrackInput = z.object({
  deviceId: idSchema,
  limit: z.int().min(1).max(1_000).default(200),
});
