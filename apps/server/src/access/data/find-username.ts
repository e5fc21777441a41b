import { sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { portalUser } from './access-tables.ts';

/** @param id from a request; not necessarily a valid ID */
export async function findUsername(on: Executor, id: string): Promise<string | undefined> {
  const [found] = await on
    .select({ username: portalUser.username })
    .from(portalUser)
    .where(sql`${portalUser.id}::text = ${id}`);
  return found?.username;
}
