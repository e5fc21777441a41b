import { like } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import { device } from './devices-tables.ts';

/** Whether a lowercase word occurs in the search text of a device. */
export async function hasDeviceText(on: Executor, word: string): Promise<boolean> {
  const found = await on
    .select({ id: device.id })
    .from(device)
    .where(like(device.searchText, `%${likeLiteral(word)}%`))
    .limit(1);
  return found.length > 0;
}
