import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { deviceRecordsAs } from '../../../devices/data/device-records.ts';
import { rendered } from '../../../platform/database/rendered.ts';
import { auditEvent } from '../audit-trail-tables.ts';

/** The event that conditions and fields refer to. */
export const e = alias(auditEvent, 'e');

/** Its device. */
export const d = deviceRecordsAs('d');

export const withDevice = rendered(sql`left join ${d} on ${d.deviceId} = ${e.deviceId}`);
export const newestFirst = rendered(sql`order by ${e.at} desc, ${e.id} desc`);
