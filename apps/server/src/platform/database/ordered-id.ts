import { sql, type SQL } from 'drizzle-orm';

/**
 * A UUIDv7 for each row of a statement (RFC 9562, section 5.7): the moment given, the row's position as the counter
 * (section 6.2, method 1), random bits. Rows sort by their position. For sets that never come to Node.
 *
 * @param position the row's number in the statement, below 2^26
 */
export function orderedId(atMs: number, position: SQL): SQL {
  const time = atMs.toString(16).padStart(12, '0');
  return sql`(${`${time.slice(0, 8)}-${time.slice(8)}-7`}::text || lpad(to_hex(${position} >> 14), 3, '0') || '-'
    || to_hex(128 + ((${position} >> 8) & 63)) || lpad(to_hex(${position} & 255), 2, '0') || '-'
    || right(gen_random_uuid()::text, 12))::uuid`;
}
