import { sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { deviceLocation } from './locations-tables.ts';

/** The place of a device, in statements beside `d` (device) and `s` (device_status). */
export const l = alias(deviceLocation, 'l');

/** `device_location l`, for `from` and `join`. */
export const fromL: SQL = sql`${deviceLocation} ${l}`;
