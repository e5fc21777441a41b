import { sql } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';

/** The commands that a user starred: part of their preferences, which travel with every session. */
export async function findFavouriteCommands(
  executor: Executor,
  userId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await executor.execute(
    sql`select preferences->'favouriteCommands' as names from portal_user where id = ${userId}`,
  );
  const names = (rows[0] as { names: unknown } | undefined)?.names;
  return new Set(Array.isArray(names) ? names.map(String) : []);
}
