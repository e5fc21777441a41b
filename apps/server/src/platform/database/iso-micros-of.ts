import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** A timestamp as ISO 8601 with microseconds in UTC, without loss of precision in a cursor. */
export const isoMicrosOf = (moment: SQLWrapper): SQL<string> =>
  sql<string>`to_char(${moment} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
