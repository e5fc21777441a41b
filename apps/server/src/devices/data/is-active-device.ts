import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { device } from './devices-tables.ts';

/** @param id from a request; not necessarily a valid ID */
export async function isActiveDevice(on: Executor, id: string): Promise<boolean> {
  const rows = await on
    .select({ id: device.id })
    .from(device)
    .where(and(sql`${device.id}::text = ${id}`, eq(device.lifecycle, 'active')));
  return rows.length > 0;
}
