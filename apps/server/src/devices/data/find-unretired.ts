import { and, ne } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { device } from './devices-tables.ts';

/** Those of the devices that exist and are not retired. */
export async function findUnretired(on: Executor, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(and(isAnyOf(device.id, [...new Set(ids)]), ne(device.lifecycle, 'retired')));
  return new Set(rows.map(({ id }) => id));
}
