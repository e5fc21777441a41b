import { sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { deviceLocation } from './locations-tables.ts';

/** The location of a device, in statements with `d` (device) and `s` (device_status). */
export const l = alias(deviceLocation, 'l');

/** `device_location l`, for `from` and `join`. */
export const fromL: SQL = sql`${deviceLocation} ${l}`;
