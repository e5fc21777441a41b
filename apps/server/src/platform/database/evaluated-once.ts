import { sql } from 'drizzle-orm';

/**
 * A condition that is always true, for a `$with` that is referenced once and joined laterally: PostgreSQL would inline it
 * there and run it for each row, except if it calls a volatile function. Drizzle cannot write `as materialized`.
 */
export const evaluatedOnce = sql<boolean>`random() is not null`;
