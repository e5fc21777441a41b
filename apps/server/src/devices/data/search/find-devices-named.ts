import { sql } from 'drizzle-orm';
import { likeLiteral } from '../../../platform/database/like-literal.ts';
import type { Executor } from '../../../platform/database/database.ts';
import { device } from '../devices-tables.ts';
import { estimateText } from './estimate-source.ts';

/** The index contains sequences of three letters or digits. */
const indexed = /[\p{L}\p{N}]{3}/u;
/** Texts that more devices are expected to contain are not looked up. */
const MOST_EXPECTED = 5_000;
const MOST_FOUND = 1_000;

/**
 * The devices of the whole fleet whose name or serial number contains a text, by the index of the search text, which
 * contains both; null if they are not found quickly, because the text is short or on many devices.
 */
export async function findDevicesNamed(on: Executor, text: string): Promise<string[] | null> {
  if (!indexed.test(text)) return null;
  const named = `%${likeLiteral(text)}%`;
  if ((await estimateText(on, [named.toLowerCase()])) > MOST_EXPECTED) return null;
  const { id, name, serialNumber, searchText } = device;
  const rows = await on
    .select({ id })
    .from(device)
    .where(
      sql`${searchText} like (select lower(${named})) and (${name} ilike ${named} or ${serialNumber} ilike ${named})`,
    )
    .limit(MOST_FOUND + 1);
  return rows.length > MOST_FOUND ? null : rows.map((row) => row.id);
}
