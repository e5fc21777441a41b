import { findPreference } from '../../access/data/preference-queries.ts';
import type { Executor } from '../../platform/database/database.ts';

/** The commands that a user starred: part of their preferences, which travel with every session. */
export async function findFavoriteCommands(
  executor: Executor,
  userId: string,
): Promise<ReadonlySet<string>> {
  const names = await findPreference(executor, userId, 'favoriteCommands');
  return new Set(Array.isArray(names) ? names.map(String) : []);
}
