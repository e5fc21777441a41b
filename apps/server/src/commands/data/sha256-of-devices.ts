import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';

/** Over ids of devices, sorted, one a line; hexadecimal: an aggregate. */
export const sha256OfDevices = (id: SQLWrapper): SQL<string> => sql<string>`
  encode(sha256(convert_to(coalesce(string_agg(${id}::text, chr(10) order by ${id}), ''), 'UTF8')), 'hex')`;
