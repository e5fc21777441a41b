import { randomBytes } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';

/**
 * A UUIDv7 for each row of a statement (RFC 9562, section 5.7): the given time, and random bits of
 * the statement plus the row's position (section 6.2, method 2). Rows sort by position. For rows
 * that are created in SQL only.
 *
 * @param position the row's number in the statement, below 2^32
 */
export function orderedId(atMs: number, position: SQL): SQL {
  const bytes = randomBytes(10);
  const time = atMs.toString(16).padStart(12, '0');
  const high = bytes.toString('hex', 0, 2).slice(1);
  const variant = ((bytes.readUInt8(2) & 0x3f) | 0x80).toString(16) + bytes.toString('hex', 3, 4);
  const prefix = `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${variant}-`;
  // The sum with any position must have twelve hexadecimal digits, so the first digit is 4 to 8.
  const base = (bytes.readUIntBE(4, 6) % 2 ** 46) + 2 ** 46;
  return sql`(${prefix}::text || to_hex(${base}::bigint + ${position}))::uuid`;
}
