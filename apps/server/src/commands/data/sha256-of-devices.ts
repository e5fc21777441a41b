import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** SQL aggregate: SHA-256 over device IDs, sorted and one per line, in hexadecimal. */
export const sha256OfDevices = (id: SQLWrapper): SQL<string> => sql<string>`
  encode(sha256(convert_to(coalesce(string_agg(${id}::text, chr(10) order by ${id}), ''), 'UTF8')), 'hex')`;
