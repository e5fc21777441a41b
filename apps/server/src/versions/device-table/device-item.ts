import { utcMomentSchema } from '@deviceportal/contract/moment';
import { toPlainName } from '@deviceportal/contract/plain-name';
import { z } from 'zod';
import { tableDeviceIdSchema } from '../../devices/table-device-id.ts';
import type { TableLayout } from '../../platform/sources/table-feed.ts';

export const deviceTableLayout: TableLayout = { keys: ['deviceId'], growing: 'at' };

/** As for the lists that devices report. */
const MAX_COMPONENTS = 2_000;
const textSchema = (max: number) =>
  z.string().min(1).max(max).refine(isPlain, 'must be plain text');

/** An item of the device version table: the complete list of a device's components. */
export const deviceItemSchema = z.object({
  deviceId: tableDeviceIdSchema,
  /** When the list was read on the device. ISO 8601, UTC. Grows with every change. */
  at: utcMomentSchema,
  components: z
    .record(textSchema(128), textSchema(64))
    .refine((map) => Object.keys(map).length <= MAX_COMPONENTS, `more than ${MAX_COMPONENTS}`),
});

export type DeviceItem = z.infer<typeof deviceItemSchema>;

function isPlain(text: string): boolean {
  return toPlainName(text) === text;
}
