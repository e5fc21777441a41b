import { z } from 'zod';
import { idSchema } from './ids.ts';

export const locationCellsInput = z.object({
  /** Edge of a cell in degrees. */
  cellDegrees: z.number().min(0.1).max(30).default(5),
});

/** Devices counted by cells of the map; centre in degrees. */
export interface LocationCell {
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
  readonly online: number;
  readonly country: string | null;
}

/** Where a device was, newest first; answers `DevicePlace` rows. */
export const deviceTrackInput = z.object({
  deviceId: idSchema,
  limit: z.int().min(1).max(1_000).default(200),
});
