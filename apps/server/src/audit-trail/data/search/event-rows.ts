import { sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { deviceRecordsAs } from '../../../devices/data/device-records.ts';
import { auditEvent } from '../audit-trail-tables.ts';

/** The event that conditions and fields refer to. */
export const e = alias(auditEvent, 'e');

/** Its device. */
export const d = deviceRecordsAs('d');

export const withDevice: SQL = sql`left join ${d} on ${d.deviceId} = ${e.deviceId}`;
export const newestFirst: SQL = sql`order by ${e.at} desc, ${e.id} desc`;
