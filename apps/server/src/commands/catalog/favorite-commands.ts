import { findPreference } from '../../access/data/preference-queries.ts';
import type { Executor } from '../../platform/database/database.ts';

/** The favorite commands of a user, which are part of their preferences. */
export async function findFavoriteCommands(
  executor: Executor,
  userId: string,
): Promise<ReadonlySet<string>> {
  const names = await findPreference(executor, userId, 'favoriteCommands');
  return new Set(Array.isArray(names) ? names.map(String) : []);
}
