import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { device } from './devices-tables.ts';

/** @param id as it came in a request, which may be no id at all */
export async function isActiveDevice(on: Executor, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(and(sql`${device.id}::text = ${id}`, eq(device.lifecycle, 'active')));
  return rows.length > 0;
}
