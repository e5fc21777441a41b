import { utcMomentSchema } from '@deviceportal/contract/moment';
import { countrySchema } from '@deviceportal/contract/places';
import { z } from 'zod';
import { tableDeviceIdSchema } from '../../devices/table-device-id.ts';
import type { TableLayout } from '../../platform/sources/table-feed.ts';

export const geolocationTableLayout: TableLayout = { keys: ['deviceId', 'at'], growing: null };

/** Sort keys are compared as text: all times must have one form. */
const keyMomentSchema = utcMomentSchema.regex(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  'must have the form 2026-01-31T12:00:00.000Z',
);

export const positionKeySchema = z.object({ deviceId: tableDeviceIdSchema, at: keyMomentSchema });

/** An item of the geolocation table: a position of a device. `expiresAt` is only for the table. */
export const positionItemSchema = positionKeySchema.extend({
  /** Degrees. */
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  accuracyMeters: z.number().nonnegative().max(1e9),
  source: z.enum(['gps', 'network', 'ip', 'manual', 'address']).default('network'),
  country: countrySchema.nullable().default(null),
});

export type PositionItem = z.infer<typeof positionItemSchema>;
