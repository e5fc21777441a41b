import type { Executor } from '../../platform/database/database.ts';
import { isAnyOf } from '../../platform/database/is-any-of.ts';
import { supportCase } from './cases-tables.ts';

/** Those of the IDs that are cases. */
export async function findCaseIds(
  on: Executor,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await on
    .select({ id: supportCase.id })
    .from(supportCase)
    .where(isAnyOf(supportCase.id, ids));
  return new Set(rows.map(({ id }) => id));
}
