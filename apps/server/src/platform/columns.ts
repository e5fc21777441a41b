import { sql } from 'drizzle-orm';
import { timestamp } from 'drizzle-orm/pg-core';

/** A moment, always with zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** The time of the transaction, by the one function that tests with a clock of their own replace. */
export const portalNow = sql`portal_now()`;

/** The time of this moment, also in a transaction that takes a while. */
export const portalClock = sql`portal_now(clock_timestamp())`;
