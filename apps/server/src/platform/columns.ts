import { customType, timestamp } from 'drizzle-orm/pg-core';

/** A moment, always with zone. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** PostgreSQL text array. */
export const textArray = customType<{ data: string[] }>({ dataType: () => 'text[]' });
