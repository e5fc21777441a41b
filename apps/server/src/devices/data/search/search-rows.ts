import { sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { device, deviceLabel, deviceStatus } from '../devices-tables.ts';

/** The rows that conditions refer to: a device and its status. */
export const d = alias(device, 'd');
export const s = alias(deviceStatus, 's');

/** The rows that a branch reads. */
export const deviceEntry = alias(device, 'b');
export const statusEntry = alias(deviceStatus, 'b');
export const labelEntry = alias(deviceLabel, 'b');

/** `device d` and `device_status s`, for `from` and `join`. */
export const fromD: SQL = sql`${device} ${d}`;
export const fromS: SQL = sql`${deviceStatus} ${s}`;
