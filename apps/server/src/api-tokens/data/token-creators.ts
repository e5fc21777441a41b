import { isAnyOf } from '../../platform/database/is-any-of.ts';
import type { Executor } from '../../platform/database/database.ts';
import { apiToken } from './api-tokens-tables.ts';

/** The users who created those of the IDs that are service tokens: they know the token, so they can act by it. */
export async function findTokenCreators(on: Executor, ids: readonly string[]): Promise<string[]> {
  const rows = await on
    .select({ createdById: apiToken.createdById })
    .from(apiToken)
    .where(isAnyOf(apiToken.id, ids));
  return rows.map(({ createdById }) => createdById);
}
