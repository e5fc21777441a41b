import { sql } from 'drizzle-orm';
import { timestamp } from 'drizzle-orm/pg-core';

/** A timestamp with time zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Transaction time, through the function that tests replace with their own clock. */
export const portalNow = sql`portal_now()`;

/** Current time, also during long transactions. */
export const portalClock = sql`portal_now(clock_timestamp())`;
